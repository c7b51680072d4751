//! Code that finds out what each way into the kernel takes: it makes a call again and again, by each.

use alloc::vec::Vec;

use crate::{Call, Entry};

/// How often it calls by a trap, and by a jump.
pub const TURNS: [u32; 2] = [256, 4096];

/// What it ends with: it is no instruction, so the kernel is told.
const END: [u8; 2] = [0x0f, 0x0b];

/// lfence; rdtsc; lfence; shl $32, %rdx; or %rdx, %rax
const NOW: [u8; 16] = [0x0f, 0xae, 0xe8, 0x0f, 0x31, 0x0f, 0xae, 0xe8, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0, 0x90];

/// The bytes of that code at the address `at`, for the call with this number, which is to have no arguments and no
/// effect. It has no stack and touches no memory. At the two bytes of its end, which fault, r12 has the ticks of the
/// time stamp counter for all traps, and r13 those for all jumps by `entry`: 0 if there is none.
#[must_use]
pub fn measuring(at: u64, number: u32, entry: Option<&dyn Entry>) -> Vec<u8> {
    let mut code = Vec::new();
    // xor %r13d, %r13d
    code.extend([0x45, 0x31, 0xed]);
    // mov %rax, %r12
    turns(&mut code, TURNS[0], number, [0x49, 0x89, 0xc4], &|code| code.extend([0x0f, 0x05]));
    if let Some(entry) = entry {
        // mov %rax, %r13
        turns(&mut code, TURNS[1], number, [0x49, 0x89, 0xc5], &|code| {
            let start = code.len();
            let end = start + entry.length();
            let back = at + end as u64;
            code.resize(end, 0);
            let call = Call { at: at + start as u64, back, behind: back, number: Some(number) };
            entry.write(&call, &mut code[start..]);
        });
    }
    code.extend(END);
    code
}

/// Makes a call so often, and has `keep` move what that took out of rax.
fn turns(code: &mut Vec<u8>, turns: u32, number: u32, keep: [u8; 3], call: &dyn Fn(&mut Vec<u8>)) {
    code.extend(NOW);
    // mov %rax, %r14; mov $turns, %ebx
    code.extend([0x49, 0x89, 0xc6, 0xbb]);
    code.extend(turns.to_le_bytes());
    let start = code.len();
    // mov $number, %eax
    code.push(0xb8);
    code.extend(number.to_le_bytes());
    call(code);
    // dec %ebx; jnz to the start
    code.extend([0xff, 0xcb, 0x0f, 0x85]);
    let distance = start.wrapping_sub(code.len() + size_of::<u32>()) as u32;
    code.extend(distance.to_le_bytes());
    code.extend(NOW);
    // sub %r14, %rax
    code.extend([0x4c, 0x29, 0xf0]);
    code.extend(keep);
}

#[cfg(test)]
mod tests {
    use architecture::x86_64::length::length;

    use super::*;
    use crate::{Jump, Target};

    const NUMBER: u32 = 110;

    /// Where instructions begin.
    fn starts(code: &[u8]) -> Vec<usize> {
        let mut at = 0;
        core::iter::from_fn(|| {
            let start = at;
            at += length(code.get(at..).filter(|rest| !rest.is_empty())?).expect("an instruction");
            Some(start)
        })
        .collect()
    }

    #[test]
    fn each_way_is_a_loop_to_its_number() {
        let entry = Jump { to: Target::Address(0x7000_0000), masked: true };
        let ways: [(Option<&dyn Entry>, usize); 2] = [(None, 1), (Some(&entry), 2)];
        for (entry, loops) in ways {
            let code = measuring(0x40_0000, NUMBER, entry);
            let starts = starts(&code);
            assert_eq!(*starts.last().unwrap(), code.len() - END.len());
            let branches: Vec<usize> =
                starts.iter().copied().filter(|&at| code[at..].starts_with(&[0x0f, 0x85])).collect();
            assert_eq!(branches.len(), loops);
            for branch in branches {
                let distance = i32::from_le_bytes(code[branch + 2..branch + 6].try_into().unwrap());
                let to = (branch + 6).strict_add_signed(distance as isize);
                assert!(starts.contains(&to) && code[to..].starts_with(&[0xb8, NUMBER as u8, 0, 0, 0]));
            }
            assert_eq!(code.windows(2).filter(|pair| *pair == [0x0f, 0x05]).count(), 1);
        }
    }

    #[test]
    fn the_kernel_goes_on_behind_the_jump() {
        let entry = Jump { to: Target::Address(0x7000_0000), masked: false };
        let (at, code) = (0x40_0000, measuring(0x40_0000, NUMBER, Some(&entry)));
        let jump = code.windows(2).position(|pair| pair == [0xff, 0xe1]).unwrap();
        let back = (at + jump as u64 + 2).to_le_bytes();
        assert!(code.windows(8).any(|bytes| bytes == back));
        assert!(code[jump + 2..].starts_with(&[0xff, 0xcb]));
    }
}
