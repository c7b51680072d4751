//! Instructions that do the same wherever they are.
//!
//! It is a list of those that stand beside system calls in real programs, and of no others: what is not on it stays.
//! `nop` is not on it, for what is behind one is often where others jump to: a function, or the head of a loop.

/// Whether an instruction, which is all of `bytes`, may be moved: it does not branch, its own address does not count,
/// and it cannot trap but by its operand in memory.
pub fn is_movable(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let mut is_repeated = false;
    // Operand size, FS and GS: what is on the list means them as they are.
    while let [first @ (0x64 | 0x65 | 0x66 | 0xf2 | 0xf3), behind @ ..] = rest {
        is_repeated |= *first >= 0xf2;
        rest = behind;
    }
    if let [0x40..=0x4f, behind @ ..] = rest {
        rest = behind;
    }
    match *rest {
        [0x0f, opcode, modrm, ..] => is_movable_of_two(opcode, is_repeated) && !is_relative(modrm),
        _ if is_repeated => false,
        [0x50..=0x5f | 0x98 | 0x99 | 0xa8 | 0xa9 | 0xb0..=0xbf, ..] => true,
        [opcode @ 0x00..=0x3f, ..] if matches!(opcode & 7, 4 | 5) => true,
        [opcode @ 0x00..=0x3f, modrm, ..] if opcode & 7 < 4 => !is_relative(modrm),
        [0x63 | 0x69 | 0x6b | 0x80 | 0x81 | 0x83..=0x8b | 0xc0 | 0xc1 | 0xd0..=0xd3, modrm, ..] => !is_relative(modrm),
        // LEA is of memory alone.
        [0x8d, modrm, ..] => modrm < 0xc0 && !is_relative(modrm),
        // MOV alone of its group; the others are transactions.
        [0xc6 | 0xc7, modrm, ..] => modrm & 0x38 == 0 && !is_relative(modrm),
        // Not those that divide, which trap by what is in registers.
        [0xf6 | 0xf7, modrm, ..] => modrm & 0x38 < 0x30 && !is_relative(modrm),
        // INC and DEC alone of its group; the others branch, or push.
        [0xfe | 0xff, modrm, ..] => modrm & 0x38 < 0x10 && !is_relative(modrm),
        _ => false,
    }
}

/// Of those whose opcode is two bytes: moves, comparisons' results, and what has a vector register cleared or stored.
const fn is_movable_of_two(opcode: u8, is_repeated: bool) -> bool {
    match opcode {
        0x10 | 0x11 => true,
        0x28 | 0x29 | 0x57 | 0x6e | 0x6f | 0x7e | 0x7f | 0xef => !is_repeated,
        0x40..=0x4f | 0x90..=0x9f | 0xaf | 0xb6 | 0xb7 | 0xbe | 0xbf => !is_repeated,
        _ => false,
    }
}

/// Whether a ModRM byte means memory by the instruction's own address.
const fn is_relative(modrm: u8) -> bool {
    modrm & 0xc7 == 0x05
}
