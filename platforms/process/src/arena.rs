//! Addresses for the kernel's own pages: given out upwards, taken back into a short list of holes.

use core::ops::Range;

use sync::Mutex;

/// Holes remembered. A kernel gives pages back seldom; what does not fit is lost as addresses, not as memory.
const HOLES: usize = 16;

/// The arena.
pub static ARENA: Mutex<Arena> = Mutex::new(Arena { start: 0, next: 0, end: 0, holes: [(0, 0); HOLES] });

/// Free addresses.
#[derive(Debug)]
pub struct Arena {
    start: usize,
    next: usize,
    end: usize,
    /// Free ranges below `next` as start and length; the length is 0 where there is none.
    holes: [(usize, usize); HOLES],
}

impl Arena {
    /// Begins to give out `range`.
    pub fn open(&mut self, range: Range<usize>) {
        self.start = range.start;
        self.next = range.start;
        self.end = range.end;
    }

    /// Takes `length` bytes of addresses.
    pub fn take(&mut self, length: usize) -> Option<usize> {
        if let Some((start, free)) = self.holes.iter_mut().find(|(_, free)| *free >= length) {
            let address = *start;
            *start += length;
            *free -= length;
            return Some(address);
        }
        let address = self.next;
        self.next = address.checked_add(length).filter(|&next| next <= self.end)?;
        Some(address)
    }

    /// Gives addresses back. Panics if they were never given out.
    pub fn give_back(&mut self, mut range: Range<usize>) {
        assert!(self.start <= range.start && range.start < range.end && range.end <= self.next, "not a kernel page");
        while let Some(hole) = self
            .holes
            .iter_mut()
            .find(|(start, length)| *length != 0 && (*start == range.end || start + length == range.start))
        {
            let (start, length) = core::mem::take(hole);
            range = range.start.min(start)..range.end.max(start + length);
        }
        if range.end == self.next {
            self.next = range.start;
        } else if let Some(free) = self.holes.iter_mut().find(|(_, length)| *length == 0) {
            *free = (range.start, range.len());
        }
    }
}
