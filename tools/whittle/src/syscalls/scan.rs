//! System calls in machine code: each `syscall`, and the number that the code before it puts into `rax`.
//!
//! Only the code around the two bytes of a `syscall` is decoded, from some way before: a decoder that begins in the
//! middle of an instruction is in step again after a few. Data between functions may hide or invent a call; a number
//! that comes from elsewhere is not known.

use std::collections::BTreeSet;

use rewrite::{Plan, Site};

use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Numbers that are known.
    pub numbers: BTreeSet<u32>,
    /// Places whose number is not.
    pub unknown: usize,
    /// Places of both kinds, and those of them that can be rewritten to calls on process.
    pub sites: usize,
    /// See there.
    pub rewritable: usize,
}

/// The bytes of `syscall`.
const SYSCALL: [u8; 2] = [0x0f, 0x05];

/// How far before a `syscall` decoding begins: sixteen of the longest instructions, to be in step and to find a number.
const BEFORE: usize = 240;

/// Looks through code that runs at `address`.
pub fn scan(code: &[u8], address: u64) -> Scan {
    let mut found = Scan::default();
    let places = code.windows(SYSCALL.len()).enumerate().filter(|(_, pair)| *pair == SYSCALL);
    for (place, _) in places {
        // Else it is a piece of another instruction.
        let Some(number) = number(code, address, place) else { continue };
        match number {
            Some(number) => drop(found.numbers.insert(number)),
            None => found.unknown += 1,
        }
        found.sites += 1;
        found.rewritable += usize::from(is_rewritable(code, address, place, number));
    }
    found
}

/// Whether the kernel could write a jump there, if the site trapped.
fn is_rewritable(code: &[u8], address: u64, place: usize, number: Option<u32>) -> bool {
    let first = place.saturating_sub(BEFORE);
    let around = &code[first..(place + BEFORE).min(code.len())];
    let site = Site { code: around, address: address + first as u64, at: place - first, number, known: None };
    Plan::of(&site).is_ok()
}

/// What is known of `eax` at a `syscall`, if one begins at `place`.
fn number(code: &[u8], address: u64, place: usize) -> Option<Option<u32>> {
    let begin = place.saturating_sub(BEFORE);
    let end = (place + SYSCALL.len()).min(code.len());
    let call = address + place as u64;
    let mut number = None;
    for instruction in Decoder::with_ip(64, &code[begin..end], address + begin as u64, DecoderOptions::NONE).iter() {
        let is_call = instruction.code() == Code::Syscall;
        if instruction.ip() == call {
            return is_call.then_some(number);
        }
        number = if is_call { None } else { after(&instruction, number) };
    }
    None
}

/// What is known of `eax` behind an instruction.
fn after(instruction: &Instruction, before: Option<u32>) -> Option<u32> {
    let writes_it = instruction.op_count() > 0
        && instruction.op0_kind() == OpKind::Register
        && instruction.op0_register().full_register() == Register::RAX;
    match instruction.mnemonic() {
        Mnemonic::Mov if writes_it && instruction.op_count() == 2 => match instruction.op1_kind() {
            OpKind::Immediate32 | OpKind::Immediate32to64 => Some(instruction.immediate32()),
            _ => None,
        },
        Mnemonic::Xor | Mnemonic::Sub if writes_it && instruction.op1_register() == instruction.op0_register() => {
            Some(0)
        }
        Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Push => before,
        _ if writes_it => None,
        _ if matches!(instruction.flow_control(), FlowControl::Next | FlowControl::ConditionalBranch) => before,
        _ => None,
    }
}
