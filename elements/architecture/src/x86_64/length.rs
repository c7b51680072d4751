//! How long an instruction is: enough of a decoder to tell where instructions begin (Intel SDM volume 2, appendix A;
//! AMD APM volume 3 for XOP). 64-bit mode only.
//!
//! Own code, because it is a page: `lde` was wrong or silent on 1 to 2 % of real programs' instructions (64-bit
//! immediates, shifts of vectors, everything with VEX), and the complete decoders are larger than the kernel.

/// Longest instruction.
const LIMIT: usize = 15;

/// What follows the opcode, in four bits, so that a map of opcodes is a table of 128 bytes: how many bytes of
/// immediates ([`WORD`]: as many as the operand size says), and whether a ModRM byte comes before them, with what that
/// asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Operands(u8);

/// An immediate of 2 or 4 bytes, and one of 8.
const WORD: u8 = 5;
const LONG: u8 = 6;
const MODRM: u8 = 8;
/// No such instruction.
const NONE: Operands = Operands(15);

const fn plain(immediate: u8) -> Operands {
    Operands(immediate)
}

const fn modrm(immediate: u8) -> Operands {
    Operands(MODRM | immediate)
}

/// A map of opcodes, two to a byte.
struct Map([u8; 128]);

static ONE_BYTE: Map = map(false);
static TWO_BYTE: Map = map(true);

const fn map(two: bool) -> Map {
    let mut map = [0; 128];
    let mut opcode = 0;
    while opcode < 256 {
        let Operands(operands) = if two { two_byte(opcode as u8) } else { one_byte(opcode as u8) };
        map[opcode / 2] |= operands << (4 * (opcode % 2));
        opcode += 1;
    }
    Map(map)
}

impl Map {
    fn operands(&self, opcode: u8) -> Operands {
        Operands(self.0[usize::from(opcode / 2)] >> (4 * (opcode % 2)) & 15)
    }
}

/// Bytes of the instruction at the start of `code`; `None` if it is none, or not all there.
#[must_use]
pub fn length(code: &[u8]) -> Option<usize> {
    let code = &code[..code.len().min(LIMIT)];
    let mut start = 0;
    let (mut short_operand, mut short_address) = (false, false);
    while let 0x26 | 0x2e | 0x36 | 0x3e | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3 = code.get(start)? {
        short_operand |= code[start] == 0x66;
        short_address |= code[start] == 0x67;
        start += 1;
    }
    let rex = code[start] & 0xf0 == 0x40;
    let wide = rex && code[start] & 8 != 0;
    start += usize::from(rex);
    let word = if short_operand && !wide { 2 } else { 4 };

    let byte = |at: usize| code.get(start + at).copied();
    let first = byte(0)?;
    let (opcode, operands) = match first {
        0x0f => match byte(1)? {
            0x38 => (2, modrm(0)),
            0x3a => (2, modrm(1)),
            second => (1, TWO_BYTE.operands(second)),
        },
        0xc5 => (2, vector(1, byte(2)?)),
        0xc4 => (3, vector(byte(1)? & 0x1f, byte(3)?)),
        0x62 => (4, vector(byte(1)? & 7, byte(4)?)),
        0x8f if byte(1)? & 0x1f >= 8 => (3, xop(byte(1)? & 0x1f)),
        0xa0..=0xa3 => (0, plain(if short_address { 4 } else { LONG })),
        0xb8..=0xbf => (0, plain(if wide { LONG } else { WORD })),
        // TEST has an immediate, the rest of its group none.
        0xf6 | 0xf7 if byte(1)? & 0x38 < 0x10 => (0, modrm(if first == 0xf6 { 1 } else { WORD })),
        _ => (0, ONE_BYTE.operands(first)),
    };
    if operands == NONE {
        return None;
    }
    let behind = start + opcode + 1;
    let address = if operands.0 & MODRM != 0 { address_length(code.get(behind..)?)? } else { 0 };
    let immediate = match operands.0 & 7 {
        WORD => word,
        LONG => 8,
        bytes => usize::from(bytes),
    };
    let length = behind + address + immediate;
    (length <= code.len()).then_some(length)
}

const fn one_byte(opcode: u8) -> Operands {
    match opcode {
        0x00..=0x3f => match opcode & 7 {
            0..=3 => modrm(0),
            4 => plain(1),
            5 => plain(WORD),
            _ => NONE,
        },
        0x63 | 0x84..=0x8f | 0xd0..=0xd3 | 0xd8..=0xdf | 0xf6 | 0xf7 | 0xfe | 0xff => modrm(0),
        0x6b | 0x80 | 0x83 | 0xc0 | 0xc1 | 0xc6 => modrm(1),
        0x69 | 0x81 | 0xc7 => modrm(WORD),
        0x6a | 0x70..=0x7f | 0xa8 | 0xb0..=0xb7 | 0xcd | 0xe0..=0xe7 | 0xeb => plain(1),
        0x68 | 0xa9 => plain(WORD),
        0xe8 | 0xe9 => plain(4),
        0xc2 | 0xca => plain(2),
        0xc8 => plain(3),
        0x40..=0x4f | 0x60..=0x62 | 0x82 | 0x9a | 0xce | 0xd4..=0xd6 | 0xea => NONE,
        _ => plain(0),
    }
}

const fn two_byte(opcode: u8) -> Operands {
    match opcode {
        0x05..=0x09 | 0x0b | 0x0e | 0x30..=0x37 | 0x77 | 0xa0..=0xa2 | 0xa8..=0xaa | 0xc8..=0xcf => plain(0),
        0x0f | 0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6 => modrm(1),
        0x80..=0x8f => plain(4),
        0x04 | 0x0a | 0x0c | 0x24..=0x27 | 0x39 | 0x3b..=0x3f => NONE,
        _ => modrm(0),
    }
}

/// VEX and EVEX.
const fn vector(map: u8, opcode: u8) -> Operands {
    match map {
        1 if opcode == 0x77 => plain(0),
        1 => match opcode {
            0x70..=0x73 | 0xc2 | 0xc4..=0xc6 => modrm(1),
            _ => modrm(0),
        },
        2 | 5 | 6 => modrm(0),
        3 => modrm(1),
        _ => NONE,
    }
}

const fn xop(map: u8) -> Operands {
    match map {
        8 => modrm(1),
        9 => modrm(0),
        10 => modrm(4),
        _ => NONE,
    }
}

/// Bytes of a ModRM byte, with what belongs to the address.
fn address_length(code: &[u8]) -> Option<usize> {
    let modrm = *code.first()?;
    let (mode, register) = (modrm >> 6, modrm & 7);
    if mode == 3 {
        return Some(1);
    }
    let scaled = usize::from(register == 4);
    let base = if register == 4 { code.get(1)? & 7 } else { register };
    let displacement = match mode {
        0 if base == 5 => 4,
        0 => 0,
        1 => 1,
        _ => 4,
    };
    Some(1 + scaled + displacement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_have_their_lengths() {
        let cases: &[&[u8]] = &[
            &[0xf4],
            &[0x49, 0x89, 0xf4],
            &[0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8],
            &[0x66, 0xb8, 1, 2],
            &[0x8b, 0x45, 0xf4],
            &[0x75, 0xf4],
            &[0xe8, 0, 0, 0, 0xf4],
            &[0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0],
            &[0x48, 0x8d, 0x05, 0, 0, 0, 0xf4],
            &[0x41, 0xf7, 0xc4, 1, 2, 3, 4],
            &[0x41, 0xf7, 0xd4],
            &[0x66, 0x0f, 0x72, 0xf5, 1],
            &[0x66, 0x0f, 0x38, 0xdc, 0xd1],
            &[0xc5, 0xfd, 0xd7, 0xf4],
            &[0xc4, 0xe3, 0x7d, 0x39, 0xc1, 1],
            &[0x62, 0xb2, 0x6e, 0x20, 0x26, 0xc2],
            &[0x62, 0xf1, 0x7c, 0x48, 0x10, 0x44, 0x24, 1],
            &[0x8f, 0xe8, 0x78, 0xc2, 0xec, 0x0e],
            &[0xf3, 0x0f, 0x1e, 0xfa],
            &[0x0f, 0xcb],
            &[0xc8, 1, 2, 3],
        ];
        for case in cases {
            let mut padded = [0x90; 20];
            padded[..case.len()].copy_from_slice(case);
            assert_eq!(length(&padded), Some(case.len()), "{case:x?}");
            assert!((0..case.len()).all(|end| length(&case[..end]).is_none()), "{case:x?}");
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        for first in 0..=u16::MAX {
            let [a, b] = first.to_le_bytes();
            for code in [&[a, b][..], &[0x66, a, b], &[0x48, a, b, 0xff, 0xff], &[0x66, 0x66, 0xf0, a, b, 4, 5, 6, 7]] {
                assert!(length(code).is_none_or(|length| (1..=code.len()).contains(&length)));
            }
        }
    }
}
