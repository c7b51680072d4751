//! System calls in machine code: each `syscall`, and the number that the code before it puts into `rax`.
//!
//! The code is decoded from its beginning to its end, so data between functions may hide or invent a call; a number that
//! comes from elsewhere is not known.

use std::collections::BTreeSet;

use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// Numbers that are known.
    pub numbers: BTreeSet<u32>,
    /// Places whose number is not.
    pub unknown: usize,
}

/// Looks through code that runs at `address`.
pub fn scan(code: &[u8], address: u64) -> Scan {
    let mut found = Scan::default();
    let mut number = None;
    for instruction in Decoder::with_ip(64, code, address, DecoderOptions::NONE).iter() {
        if instruction.code() == Code::Syscall {
            match number {
                Some(number) => drop(found.numbers.insert(number)),
                None => found.unknown += 1,
            }
            number = None;
        } else {
            number = after(&instruction, number);
        }
    }
    found
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
