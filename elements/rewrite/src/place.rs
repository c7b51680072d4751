//! Where a stub may stand: the distance to it is what a `jmp` is made of, and some bytes of that have to fault.

use core::ops::Range;

use crate::plan::{JUMP, Plan};

/// Bytes that are no instruction in 64-bit mode, whatever follows them: a processor raises #UD (Intel SDM volume 2,
/// appendix A, tables A-2 and the exceptions of 64-bit mode there).
pub const FAULTS: [u8; 17] =
    [0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37, 0x3f, 0x60, 0x61, 0x82, 0x9a, 0xce, 0xea];

/// Addresses among which a stub's is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// The addresses that are free.
    pub free: Range<u64>,
    /// Bytes that the stub has.
    pub length: usize,
}

impl Plan {
    /// The first address in `room` at which a stub may stand.
    #[must_use]
    pub fn place(&self, room: &Room) -> Option<u64> {
        let behind = self.start().wrapping_add(JUMP as u64);
        let last = room.free.end.checked_sub(room.length as u64)?;
        let mut at = room.free.start.max(behind.saturating_sub(1 << 31));
        // From the highest byte of the distance on: each step leaves those above as they are, or begins anew.
        'anew: while at <= last {
            let distance = i32::try_from(at.wrapping_sub(behind).cast_signed()).ok()?;
            for index in (0..4).rev().filter(|&index| self.has_boundary(1 + index)) {
                let byte = distance.to_le_bytes()[index];
                if !FAULTS.contains(&byte) {
                    let step = next_fault(byte) << (8 * index);
                    let below = u64::from(distance.cast_unsigned()) & ((1 << (8 * index)) - 1);
                    at = at.checked_add(step)? - below;
                    continue 'anew;
                }
            }
            return Some(at);
        }
        None
    }

    /// The bytes that take the place of the others: the `jmp`, and what faults behind it.
    pub fn write(&self, stub: u64, to: &mut [u8]) {
        let behind = self.start().wrapping_add(JUMP as u64);
        let distance = stub.wrapping_sub(behind) as u32;
        to.fill(FAULTS[0]);
        if let Some(jump) = to.first_chunk_mut::<JUMP>() {
            jump[0] = 0xe9;
            jump[1..].copy_from_slice(&distance.to_le_bytes());
        }
    }
}

/// How far it is from a byte to the next that faults, around the end.
fn next_fault(byte: u8) -> u64 {
    let steps = FAULTS.iter().map(|fault| fault.wrapping_sub(byte));
    u64::from(steps.min().unwrap_or(0))
}
