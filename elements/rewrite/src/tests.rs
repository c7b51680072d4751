extern crate std;

use std::{vec, vec::Vec};

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind, Register};

use crate::{Call, Entry, FAULTS, JUMP, Jump, Kind, Left, Plan, Room, SYSCALL, Site, Target};

/// `mov %fs:0x28, %rax`, sixteen times: what stands before a site that is read in one way only.
fn before() -> Vec<u8> {
    [0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0].repeat(16)
}

/// A plan for `code` between instructions, of which the first `syscall` is the site.
fn plan_of(code: &[u8], number: Option<u32>) -> Result<Plan, Left> {
    let at = code.windows(2).position(|two| two == [0x0f, 0x05]).unwrap();
    let whole = [&before()[..], code, &[0x90; 16]].concat();
    let at = before().len() + at;
    Plan::of(&Site { code: &whole, address: 0x1000, at, number, known: None })
}

/// The kind of a plan and how many bytes it takes away, or why there is none.
type Becomes = Result<(Kind, usize), Left>;

#[test]
fn sites_of_real_programs_have_their_kinds() {
    let cases: &[(&str, &[u8], Becomes)] = &[
        ("read of glibc", &[0xb8, 0, 0, 0, 0, 0x0f, 0x05], Ok((Kind::Number, 5))),
        // mov 8(%rsp), %r9
        ("syscall of glibc", &[0x4c, 0x8b, 0x4c, 0x24, 8, 0x0f, 0x05], Ok((Kind::Before, 5))),
        // mov %rcx, %rsi; mov %rbx, %rdi
        ("Syscall6 of Go", &[0x48, 0x89, 0xce, 0x48, 0x89, 0xdf, 0x0f, 0x05], Ok((Kind::Before, 6))),
        // mov $0x101, %eax; mov %r8, %rdi
        ("number first", &[0xb8, 1, 1, 0, 0, 0x4c, 0x89, 0xc7, 0x0f, 0x05], Ok((Kind::Before, 8))),
        // call *%rax; test %rax, %rax
        ("behind", &[0xff, 0xd0, 0x0f, 0x05, 0x48, 0x85, 0xc0], Ok((Kind::Behind, 5))),
        // nopl 0(%rax, %rax); xor %eax, %eax; cmp $-4096, %rax
        (
            "read_nocancel of glibc",
            &[0x0f, 0x1f, 0x44, 0, 0, 0x31, 0xc0, 0x0f, 0x05, 0x48, 0x3d, 0, 0xf0, 0xff, 0xff],
            Ok((Kind::Behind, 8)),
        ),
        // mov $15, %rax
        ("restore_rt of glibc", &[0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05], Err(Left::Trampoline)),
        // call *%rax; ret
        ("neither", &[0xff, 0xd0, 0x0f, 0x05, 0xc3], Err(Left::Unmovable)),
        // lea 4(%rip), %rdi; ret
        ("by its own address", &[0x48, 0x8d, 0x3d, 4, 0, 0, 0, 0x0f, 0x05, 0xc3], Err(Left::Unmovable)),
    ];
    for (name, code, expected) in cases {
        let number =
            code.first().filter(|first| **first == 0xb8).map(|_| u32::from_le_bytes(code[1..5].try_into().unwrap()));
        let found = plan_of(code, number).map(|plan| (plan.kind(), plan.bytes().len()));
        assert_eq!(found, *expected, "{name}");
    }
    // Another number was seen than stands there: whatever that is, it is moved, and no number.
    assert_eq!(plan_of(&[0xb8, 0, 0, 0, 0, 0x0f, 0x05], Some(7)).unwrap().kind(), Kind::Before);
}

#[test]
fn what_can_be_read_in_two_ways_stays() {
    // Bytes of data, which readings from each of them leave at different places.
    let mut code: Vec<u8> = (0..200_u8).map(|at| if at % 3 == 0 { 0x05 } else { 0x90 ^ (at & 1) }).collect();
    let at = code.len();
    code.extend([0x0f, 0x05, 0xc3]);
    let site = Site { code: &code, address: 0, at, number: None, known: None };
    assert_eq!(Plan::of(&site), Err(Left::Boundary));
    // Too little is before it for any reading.
    let site = Site { code: &[0xb8, 1, 0, 0, 0, 0x0f, 0x05, 0xc3], address: 0, at: 5, number: Some(1), known: None };
    assert_eq!(Plan::of(&site), Err(Left::Boundary));
    assert_eq!(Plan::of(&Site { known: Some(0), ..site }).map(|plan| plan.kind()), Ok(Kind::Number));
    // From there on no instruction ends before the site.
    assert_eq!(Plan::of(&Site { known: Some(1), ..site }), Err(Left::Boundary));
    let none = Site { code: &[0x0f], address: 0, at: 0, number: None, known: Some(0) };
    assert_eq!(Plan::of(&none), Err(Left::NotThere));
    assert_eq!(Plan::of(&Site { at: usize::MAX - 8, ..none }), Err(Left::NotThere));
}

#[test]
fn stubs_stand_where_each_boundary_faults() {
    let pieces: &[&[u8]] = &[
        // Boundaries at 3, at 1 and 2, at 4, at none.
        &[0x48, 0x89, 0xce, 0x48, 0x89, 0xdf],
        &[0x50, 0x51, 0x48, 0x89, 0xdf],
        &[0x89, 0x44, 0x24, 8, 0x50],
        &[0x4c, 0x8b, 0x4c, 0x24, 8],
    ];
    for piece in pieces {
        let plan = plan_of(&[piece, &[0x0f, 0x05][..]].concat(), None).unwrap();
        let length = plan.stub_length(20);
        for start in [0_u64, 0x1234, 0x00ff_ffff, 0x0500_0000, 0x7000_0000] {
            let free = start..start + (512 << 20);
            let Some(place) = plan.place(&Room { free: free.clone(), length }) else { continue };
            assert!(place >= start && place + length as u64 <= free.end);
            let mut bytes = vec![0; plan.bytes().len()];
            plan.write(place, &mut bytes);
            let target = plan
                .start()
                .wrapping_add(JUMP as u64)
                .wrapping_add_signed(i32::from_le_bytes(bytes[1..5].try_into().unwrap()).into());
            assert_eq!((bytes[0], target), (0xe9, place));
            for at in 1..bytes.len() {
                let begins = plan.stub_of(plan.start() + at as u64, 20).is_some();
                assert!(!begins || FAULTS.contains(&bytes[at]), "{bytes:x?} at {at}");
            }
            // It is the first: one step at a time finds none before it.
            let before = (start..place).rev().take(5000).find(|&at| {
                let mut bytes = vec![0; plan.bytes().len()];
                plan.write(at, &mut bytes);
                (1..bytes.len()).all(|index| {
                    plan.stub_of(plan.start() + index as u64, 20).is_none() || FAULTS.contains(&bytes[index])
                })
            });
            assert_eq!(before, None, "{piece:x?} from {start:#x}: {place:#x}");
        }
        // Nothing is in reach, and nothing has room.
        assert_eq!(plan.place(&Room { free: 1 << 40..1 << 41, length }), None);
        assert_eq!(plan.place(&Room { free: 0x2000..0x2001, length }), None);
    }
}

/// An entry that is `int3`s.
struct Twenty;

impl Entry for Twenty {
    fn length(&self) -> usize {
        20
    }

    fn write(&self, call: &Call, to: &mut [u8]) {
        to.fill(0xcc);
        to[..8].copy_from_slice(&call.at.to_le_bytes());
        to[8..16].copy_from_slice(&call.back.to_le_bytes());
        to[16..].copy_from_slice(&(call.behind as u32).to_le_bytes());
    }
}

#[test]
fn stubs_hold_what_was_taken_away() {
    let at = 0x5000_u64;
    // mov %rcx, %rsi; mov %rbx, %rdi; syscall
    let plan = plan_of(&[0x48, 0x89, 0xce, 0x48, 0x89, 0xdf, 0x0f, 0x05], None).unwrap();
    let stub = plan.stub(at, &Twenty);
    assert_eq!(stub.len(), plan.stub_length(20));
    assert_eq!(stub[..6], [0x48, 0x89, 0xce, 0x48, 0x89, 0xdf]);
    assert_eq!(stub[6..14], (at + 6).to_le_bytes());
    assert_eq!(stub[14..22], (plan.syscall() + 2).to_le_bytes());
    let seen: Vec<_> = [0, 3, 6, 25].iter().map(|&offset| plan.program_of(offset, 20) - plan.start()).collect();
    assert_eq!(seen, [0, 3, 6, 6]);
    let places: Vec<_> = (0..8).map(|at| plan.stub_of(plan.start() + at, 20)).collect();
    assert_eq!(places, [Some(0), None, None, Some(3), None, None, None, None]);
    // call *%rax; syscall; test %rax, %rax; which is read back by another decoder.
    let plan = plan_of(&[0xff, 0xd0, 0x0f, 0x05, 0x48, 0x85, 0xc0], None).unwrap();
    let stub = plan.stub(at, &Twenty);
    assert_eq!(stub[8..16], (at + 20).to_le_bytes());
    assert_eq!(stub[16..20], (plan.start() as u32 + 2).to_le_bytes());
    // The program finds its own address in rcx.
    assert_eq!(stub[20..30], [&[0x48, 0xb9][..], &(plan.start() + 2).to_le_bytes()].concat());
    assert_eq!(stub[30..33], [0x48, 0x85, 0xc0]);
    let jump = Decoder::with_ip(64, &stub[33..], at + 33, DecoderOptions::NONE).decode();
    assert_eq!((jump.flow_control(), jump.near_branch64()), (FlowControl::UnconditionalBranch, plan.start() + 5));
    let seen: Vec<_> =
        [0, 19, 20, 30, 33, 37].iter().map(|&offset| plan.program_of(offset, 20) - plan.start()).collect();
    assert_eq!(seen, [0, 0, 2, 2, 5, 5]);
    let places: Vec<_> = (0..6).map(|at| plan.stub_of(plan.start() + at, 20)).collect();
    assert_eq!(places, [Some(0), None, Some(30), None, None, None]);
}

/// Whether another decoder sees nothing in an instruction that depends on where it is, or leads elsewhere.
fn stays_the_same(instruction: &Instruction) -> bool {
    let is_relative = (0..instruction.op_count()).any(|operand| {
        instruction.op_kind(operand) == OpKind::Memory
            && matches!(instruction.memory_base(), Register::RIP | Register::EIP)
    });
    !is_relative && instruction.flow_control() == FlowControl::Next
}

/// Whatever is before a site: what is taken away are whole instructions, which may be moved.
#[test]
fn another_decoder_agrees_about_any_bytes() {
    let mut state = 5_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let mut planned = 0;
    for _ in 0..if cfg!(miri) { 200 } else { 200_000 } {
        let mut code: Vec<u8> = (0..40).map(|_| next()).collect();
        let at = 24;
        code[at..at + SYSCALL].copy_from_slice(&[0x0f, 0x05]);
        let site = Site { code: &code, address: 0x1000, at, number: None, known: Some(0) };
        let Ok(plan) = Plan::of(&site) else { continue };
        planned += 1;
        let start = (plan.start() - 0x1000) as usize;
        let mut decoder = Decoder::with_ip(64, &code[start..], plan.start(), DecoderOptions::NONE);
        while (decoder.position()) < plan.bytes().len() {
            let instruction = decoder.decode();
            let is_site = instruction.ip() == 0x1000 + at as u64;
            assert!(is_site || !instruction.is_invalid() && stays_the_same(&instruction), "{code:x?}");
        }
        assert_eq!(decoder.position(), plan.bytes().len(), "{code:x?}");
    }
    assert!(planned > if cfg!(miri) { 5 } else { 20_000 }, "{planned}");
}

#[test]
fn no_byte_that_faults_is_an_instruction() {
    for fault in FAULTS {
        for rest in 0..=u16::MAX {
            let [a, b] = rest.to_le_bytes();
            let bytes = [fault, a, b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            assert!(Decoder::new(64, &bytes, DecoderOptions::NONE).decode().is_invalid(), "{fault:x}");
        }
    }
}

#[test]
fn a_jump_by_a_word_masks_first_and_is_as_long_as_it_says() {
    let jump = Jump { to: Target::Word(-0x1000), masked: true };
    let call = Call { at: 0, back: 0x1122_3344_5566_7788, behind: 0, number: Some(39) };
    let mut bytes = vec![0; jump.length()];
    jump.write(&call, &mut bytes);
    // cli; movabs $back, %r11; jmp *0xfffffffffffff000
    let expected = [
        &[0xfa, 0x49, 0xbb, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11][..],
        &[0xff, 0x24, 0x25, 0x00, 0xf0, 0xff, 0xff],
    ];
    assert_eq!(bytes, expected.concat());
}
