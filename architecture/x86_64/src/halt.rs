//! Telling whether the application has just executed `hlt`.

use machine::Context;

use architecture::x86_64::length::length;

use crate::{compare, jump::Jump};

/// The instruction `hlt`.
const HLT: u8 = 0xf4;
/// Bytes before an address that [`ends_with_halt`] likes to see.
pub const WINDOW: usize = 64;
/// Decoding from a wrong place falls into step after a few instructions, so starts this near do not vote.
const SETTLED: usize = 16;

/// Whether `code`, the up to [`WINDOW`] bytes before an address, ends with the instruction `hlt`.
///
/// Its byte alone says little: `mov r12, rsi` and a jump back by 12 end with it too, and with a look twenty times a
/// second a program at work would be taken for a dead one within a minute. So the code is decoded from each of the
/// bytes before; x86 code falls into step quickly, and the majority knows. Compared with a disassembler over busybox,
/// python3.11 and a static glibc (1.2 million instructions, 1,434 of which end with that byte, 12 of them `hlt`) it is
/// never wrong.
#[must_use]
pub fn ends_with_halt(code: &[u8]) -> bool {
    let Some((&HLT, before)) = code.split_last() else { return false };
    let starts = if code.len() < WINDOW { before.len() } else { before.len() + 1 - SETTLED };
    let (mut met, mut all) = (0_usize, 0_usize);
    for arrived in (0..starts).filter_map(|start| decode_to(code, start)) {
        met += usize::from(arrived == before.len());
        all += 1;
    }
    all == 0 || 2 * met > all
}

/// In [`CONDITIONS`]: less, as a signed comparison says.
const LESS: u64 = 1 << 1;
/// The flags of which one must be set for each pair of conditional jumps (Intel SDM volume 1, appendix B).
const CONDITIONS: [u16; 8] = [1 << 11, 1, 1 << 6, 1 | 1 << 6, 1 << 7, 1 << 2, LESS as u16, LESS as u16 | 1 << 6];

/// Whether the `hlt` that `code` ends with was jumped over to `address`, the one behind it.
///
/// Compiled code asserts by a conditional jump over it (`cmp ...; je 1f; hlt; 1:`), so in a program that asserts often
/// an interrupt finds the address behind such a `hlt` just reached every few seconds. Two signs tell: the jump's
/// condition holds, or the comparison before it would have left other flags than there are now, so that it was another
/// jump that led here. (Who halts has the flags and registers of that comparison still.)
#[must_use]
pub fn was_jumped_over(
    code: &[u8],
    address: usize,
    context: &Context,
    read: &mut dyn FnMut(usize) -> Option<u64>,
) -> bool {
    let (condition, jump) = match code {
        [.., 0x0f, condition @ 0x80..=0x8f, 1, 0, 0, 0, HLT] => (condition & 15, code.len() - 7),
        [.., condition @ 0x70..=0x7f, 1, HLT] => (condition & 15, code.len() - 3),
        [.., 0xeb, 1, HLT] => return true,
        _ => return was_led_here(code, address, context, read, false),
    };
    if holds(condition, context.rflags) {
        return true;
    }
    let before = &code[..jump];
    let Some(start) = last_instruction(before) else { return false };
    let behind = address - (code.len() - jump);
    let left = compare::flags(&before[start..], behind, context, read);
    left.is_some_and(|left| (left ^ context.rflags) & compare::FLAGS != 0)
        || was_led_here(code, address, context, read, true)
}

/// Whether a jump further up leads behind the `hlt`, and has just been taken: it has no condition, or that holds and
/// the comparison before it leaves the flags as they are. (musl's clone jumps so over a call, an exit and a `hlt`; code
/// that Java's virtual machine makes jumps over its assertions, which are long.) `surely`: only a comparison that is
/// understood counts, for there is another jump that may have led to the `hlt`.
fn was_led_here(
    code: &[u8],
    address: usize,
    context: &Context,
    read: &mut dyn FnMut(usize) -> Option<u64>,
    surely: bool,
) -> bool {
    let is_instruction =
        |jump: &Jump| code.get(..jump.place + jump.length).and_then(last_instruction) == Some(jump.place);
    let mut taken = |jump: &Jump| {
        let Some(condition) = jump.condition else { return !surely };
        if !holds(condition, context.rflags) {
            return false;
        }
        let before = &code[..jump.place];
        let behind = address - (code.len() - jump.place);
        let left = last_instruction(before).and_then(|start| compare::flags(&before[start..], behind, context, read));
        left.map_or(!surely, |left| (left ^ context.rflags) & compare::FLAGS == 0)
    };
    (0..code.len()).filter_map(|place| Jump::to_end(code, place)).filter(is_instruction).any(|jump| taken(&jump))
}

/// Whether a conditional jump with the low four bits `condition` of its opcode is taken with these flags.
fn holds(condition: u8, flags: u64) -> bool {
    // Two conditions compare sign and overflow: the answer stands where the flags have no bit of their own.
    let less = (flags >> 7 ^ flags >> 11) & 1;
    let flags = flags & !LESS | less << 1;
    let holds = flags & u64::from(CONDITIONS[usize::from(condition >> 1)]) != 0;
    holds != (condition & 1 == 1)
}

/// Where the last instruction of `code` begins, by the same vote.
fn last_instruction(code: &[u8]) -> Option<usize> {
    let mut votes = [0_u8; WINDOW];
    for start in 0..code.len() {
        let mut at = start;
        let mut last = start;
        while at < code.len() {
            last = at;
            at += length(&code[at..]).unwrap_or(code.len());
        }
        if at == code.len()
            && let Some(votes) = votes.get_mut(last)
        {
            *votes += 1;
        }
    }
    let most = votes.iter().max().copied().filter(|&most| most > 0)?;
    votes.iter().position(|&count| count == most)
}

/// Where instructions from `start` on arrive at or pass the last byte; `None` if they do not decode.
fn decode_to(code: &[u8], start: usize) -> Option<usize> {
    let last = code.len() - 1;
    let mut at = start;
    while at < last {
        // What follows the window does not matter: an instruction that reaches beyond it has passed the last byte.
        let mut bytes = [0; 16];
        let rest = &code[at..code.len().min(at + bytes.len())];
        bytes[..rest.len()].copy_from_slice(rest);
        at += length(&bytes)?;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of ordinary code in front: each of the fillers is common.
    fn code(end: &[u8]) -> [u8; WINDOW] {
        let fillers: [&[u8]; 4] = [&[0x48, 0x89, 0xe5], &[0x8b, 0x45, 0xf4], &[0xe8, 1, 2, 0, 0], &[0x90]];
        let mut bytes = [0x90; WINDOW];
        let (front, back) = bytes.split_at_mut(WINDOW - end.len());
        back.copy_from_slice(end);
        let mut at = front.len();
        for filler in fillers.iter().cycle() {
            let Some(start) = at.checked_sub(filler.len()) else { break };
            front[start..at].copy_from_slice(filler);
            at = start;
        }
        bytes
    }

    #[test]
    fn halts_are_told_from_other_ends() {
        for halt in [&[0xf4][..], &[0x31, 0xed, 0xf4], &[0xff, 0x15, 0, 1, 0, 0, 0xf4], &[0x0f, 0x0b, 0xf4]] {
            assert!(ends_with_halt(&code(halt)), "{halt:x?}");
        }
        for other in [
            &[0x49, 0x89, 0xf4][..],
            &[0x75, 0xf4],
            &[0x8b, 0x45, 0xf4],
            &[0xc5, 0xfd, 0xd7, 0xf4],
            &[0xb8, 0, 0, 0, 0xf4],
            &[0x90],
        ] {
            assert!(!ends_with_halt(&code(other)), "{other:x?}");
        }
    }

    fn jumped(code: &[u8], context: &Context) -> bool {
        was_jumped_over(code, 0x1000, context, &mut |_| None)
    }

    #[test]
    fn an_assertion_that_holds_is_no_halt() {
        const ZERO: u64 = 1 << 6;
        const SIGN: u64 = 1 << 7;
        let with = |rflags| Context { rflags, ..Context::default() };
        // Behind no comparison that is understood, the condition alone tells.
        let [je, jne, jl] = [0x74, 0x75, 0x7c].map(|opcode| [0x01, 0xc0, opcode, 1, 0xf4]);
        assert!(jumped(&je, &with(ZERO)) && !jumped(&je, &with(0)));
        assert!(jumped(&jne, &with(0)) && !jumped(&jne, &with(ZERO)));
        assert!(jumped(&jl, &with(SIGN)) && !jumped(&jl, &with(SIGN | 1 << 11)));
        let near = [0x0f, 0x84, 1, 0, 0, 0, 0xf4];
        assert!(jumped(&near, &with(ZERO)) && !jumped(&near, &with(0)));
        assert!(!jumped(&[0x74, 2, 0xf4], &with(ZERO)));
        assert!(!jumped(&[0xf4], &with(ZERO)));
    }

    #[test]
    fn another_jump_to_behind_an_assertion_is_no_halt() {
        // As in musl's free: cmp $0xffff,%edx; jg 1f; hlt; 1: and another jump to 1 before, if two bytes are equal.
        let code = code(&[0x81, 0xfa, 0xff, 0xff, 0, 0, 0x7f, 1, 0xf4]);
        let context = |rflags| Context { rdx: 0xf, rflags, ..Context::default() };
        assert!(jumped(&code, &context(0x246)));
        assert!(!jumped(&code, &context(0x283)), "what the comparison leaves: this one halts");
    }

    #[test]
    fn a_jump_from_further_up_leads_behind_the_halt() {
        // musl's __clone: test eax, eax; jne behind; xor ebp, ebp; pop rdi; call r9; mov edi, eax; ... syscall; hlt.
        let end = [
            0x85, 0xc0, 0x75, 0x0f, 0x31, 0xed, 0x5f, 0x41, 0xff, 0xd1, 0x89, 0xc7, 0x31, 0xc0, 0xb0, 0x3c, 0x0f, 0x05,
            0xf4,
        ];
        let code = code(&end);
        let mut context = Context { rax: 974, rflags: 0x202, ..Context::default() };
        assert!(was_jumped_over(&code, 0x40_b649, &context, &mut |_| None));
        // Who came here by the system call has other flags than the comparison would leave now.
        context.rax = 0;
        assert!(!was_jumped_over(&code, 0x40_b649, &context, &mut |_| None));
        (context.rax, context.rflags) = (974, 0x246);
        assert!(!was_jumped_over(&code, 0x40_b649, &context, &mut |_| None));
    }

    #[test]
    fn two_comparisons_that_leave_nearly_the_same_are_told_apart() {
        // musl's realloc: cmp edx, eax; jl behind; jmp halt; ... and cx, 0xfc0; cmp cx, 0xfc0; je behind; halt: hlt.
        let end = [
            0x8d, 0x47, 0x01, 0x0f, 0xaf, 0xc1, 0x39, 0xc2, 0x7c, 0x25, 0xeb, 0x22, 0x48, 0x83, 0xc4, 0x18, 0x48, 0x89,
            0xf7, 0x5b, 0x5d, 0x41, 0x5c, 0x41, 0x5d, 0x41, 0x5e, 0x41, 0x5f, 0xe9, 0x2b, 0x72, 0xff, 0xff, 0x66, 0x81,
            0xe1, 0xc0, 0x0f, 0x66, 0x81, 0xf9, 0xc0, 0x0f, 0x74, 0x01, 0xf4,
        ];
        let code = code(&end);
        let came = Context { rax: 2, rcx: 1, rdx: 1, rdi: 1, rflags: 0x297, ..Context::default() };
        assert!(jumped(&code, &came), "by the jump further up, in a server at work");
        // The same registers, and what the last comparison leaves: AF differs.
        assert!(!jumped(&code, &Context { rflags: 0x287, ..came }));
    }

    #[test]
    fn a_long_jump_over_an_assertion_is_no_halt() {
        // As Java's virtual machine makes it: jmp behind; mov rdi, message; and rsp, -16; call stop; hlt.
        let assertion = [
            0x48, 0xbf, 0x56, 0x96, 0xf0, 0xf3, 0x3d, 0x7e, 0, 0, 0x48, 0x83, 0xe4, 0xf0, 0xe8, 0x77, 0xb1, 8, 0x17,
            0xf4,
        ];
        let with = |jump: &[u8]| code(&[jump, &assertion].concat());
        let context = |rflags| Context { rflags, ..Context::default() };
        assert!(jumped(&with(&[0xe9, 20, 0, 0, 0]), &context(0)));
        assert!(jumped(&with(&[0xeb, 20]), &context(0)));
        assert!(!jumped(&with(&[0xe9, 19, 0, 0, 0]), &context(0)), "into the assertion");
        let near = with(&[0x01, 0xc0, 0x0f, 0x84, 20, 0, 0, 0]);
        assert!(jumped(&near, &context(1 << 6)) && !jumped(&near, &context(0)));
    }

    #[test]
    fn short_windows_are_decoded_from_all_of_their_bytes() {
        assert!(ends_with_halt(&[0xf4]));
        assert!(ends_with_halt(&[0x90, 0x90, 0xf4]));
        assert!(!ends_with_halt(&[]));
        assert!(!ends_with_halt(&[0x90]));
    }
}
