//! Jumps with their distance in the instruction (Intel SDM volume 2, JMP and Jcc).

/// A jump forward within code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Where it begins.
    pub place: usize,
    /// Its bytes.
    pub length: usize,
    /// The low four bits of its opcode, if it has a condition.
    pub condition: Option<u8>,
}

impl Jump {
    /// The jump at `place` that leads to the end of `code`, if the bytes there are one.
    #[must_use]
    pub fn to_end(code: &[u8], place: usize) -> Option<Self> {
        let (length, condition, distance) = match *code.get(place..)? {
            [opcode @ 0x70..=0x7f, distance, ..] => (2, Some(opcode & 15), usize::from(distance)),
            [0xeb, distance, ..] => (2, None, usize::from(distance)),
            [0xe9, distance, 0, 0, 0, ..] => (5, None, usize::from(distance)),
            [0x0f, opcode @ 0x80..=0x8f, distance, 0, 0, 0, ..] => (6, Some(opcode & 15), usize::from(distance)),
            _ => return None,
        };
        (place + length + distance == code.len()).then_some(Self { place, length, condition })
    }
}
