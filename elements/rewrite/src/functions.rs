//! Where a program's functions begin and end: what is said of them in `.eh_frame`, for who unwinds stacks (Linux
//! Standard Base, Core, "Exception Frames").
//!
//! Own code: a parser for all forms reads what entries have in common anew for each of some thousands. This one knows
//! the form that linkers for x86-64 write for C, and passes over what has another.

use alloc::vec::Vec;
use core::ops::Range;

/// DW_EH_PE_sdata4, from the word's own address on.
const RELATIVE: u8 = 0x1b;

/// The function that each of these addresses is in, which ascend.
pub fn functions_around(places: &[u64], address: u64, frames: &[u8]) -> Vec<Option<Range<u64>>> {
    let mut found = alloc::vec![None; places.len()];
    // Entries with something in common mostly follow each other.
    let (mut common, mut is_known) = (usize::MAX, false);
    let mut at = 0;
    while let Some(entry) = Entry::at(at, frames) {
        if entry.common != common {
            (common, is_known) = (entry.common, is_plain(entry.common, frames));
        }
        if is_known && let Some(function) = entry.function(address, frames) {
            let first = places.partition_point(|&place| place < function.start);
            let inside = places.iter().zip(&mut found).skip(first).take_while(|(place, _)| **place < function.end);
            inside.for_each(|(_, found)| *found = Some(function.clone()));
        }
        at = entry.end;
    }
    found
}

/// An entry: of a function (FDE), or of what some have in common (CIE).
struct Entry {
    start: usize,
    end: usize,
    /// Where that is which it has in common with others; its own beginning, if it is such itself.
    common: usize,
}

impl Entry {
    /// `None` at the end, and for an entry of 64 bits.
    fn at(start: usize, frames: &[u8]) -> Option<Self> {
        let length = word(start, frames).filter(|length| !matches!(*length, 0 | u32::MAX))?;
        let end = start.checked_add(4)?.checked_add(length as usize)?;
        let distance = word(start + 4, frames)? as usize;
        Some(Self { start, end, common: if distance == 0 { start } else { (start + 4).checked_sub(distance)? } })
    }

    /// Its addresses.
    fn function(&self, address: u64, frames: &[u8]) -> Option<Range<u64>> {
        if self.common == self.start {
            return None;
        }
        let distance = word(self.start + 8, frames)?.cast_signed();
        let start = address.wrapping_add(self.start as u64 + 8).wrapping_add_signed(distance.into());
        Some(start..start.checked_add(word(self.start + 12, frames)?.into())?)
    }
}

/// Whether what is in common there says that addresses are distances of 32 bits, and nothing that comes before them.
fn is_plain(at: usize, frames: &[u8]) -> bool {
    let Some(bytes) = at.checked_add(4).and_then(|at| frames.get(at..)).and_then(|bytes| bytes.first_chunk::<13>())
    else {
        return false;
    };
    // The identifier; version; "zR"; both alignments, the register that has the way back, and the length of what
    // follows, a byte each; how addresses are written.
    matches!(*bytes, [0, 0, 0, 0, 1, b'z', b'R', 0, 0..=0x7f, 0..=0x7f, _, 1, RELATIVE])
}

fn word(at: usize, bytes: &[u8]) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
