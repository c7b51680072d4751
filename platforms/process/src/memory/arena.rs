//! Addresses for the kernel's own pages: given out upwards, taken back into a short list of holes.

use core::ops::Range;

use sync::Mutex;

/// Holes remembered. A kernel gives pages back seldom; what does not fit is lost as addresses, not as memory.
const HOLES: usize = 16;

/// The arena.
pub static ARENA: Mutex<Arena> = Mutex::new(Arena::new());

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
    const fn new() -> Self {
        Self { start: 0, next: 0, end: 0, holes: [(0, 0); HOLES] }
    }

    /// Begins to give out `range`.
    pub fn open(&mut self, range: Range<usize>) {
        self.start = range.start;
        self.next = range.start;
        self.end = range.end;
    }

    /// All addresses.
    pub fn bounds(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Where those end that somebody has, or had.
    pub fn used(&self) -> usize {
        self.next
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

    /// Whether these addresses may have been given out.
    pub fn holds(&self, range: &Range<usize>) -> bool {
        self.start <= range.start && range.start < range.end && range.end <= self.next
    }

    /// Gives addresses back. Panics if they were never given out.
    pub fn give_back(&mut self, mut range: Range<usize>) {
        assert!(self.holds(&range), "not a kernel page");
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

#[cfg(test)]
mod tests {
    use super::*;

    fn arena() -> Arena {
        let mut arena = Arena::new();
        arena.open(0x1000..0x9000);
        arena
    }

    #[test]
    fn addresses_come_once_and_come_back() {
        let mut arena = arena();
        assert_eq!(arena.take(0x2000), Some(0x1000));
        assert_eq!(arena.take(0x1000), Some(0x3000));
        assert_eq!(arena.take(0x1000), Some(0x4000));
        arena.give_back(0x1000..0x3000);
        assert_eq!(arena.take(0x1000), Some(0x1000));
        assert_eq!(arena.take(0x2000), Some(0x5000));
        assert_eq!(arena.take(0x3000), None);
        assert_eq!(arena.take(0x1000), Some(0x2000));
        arena.give_back(0x2000..0x3000);
        arena.give_back(0x4000..0x5000);
        arena.give_back(0x3000..0x4000);
        arena.give_back(0x1000..0x2000);
        assert_eq!(arena.take(0x4000), Some(0x1000));
        arena.give_back(0x1000..0x5000);
        arena.give_back(0x5000..0x7000);
        assert_eq!(arena.take(0x8000), Some(0x1000));
        assert_eq!(arena.take(usize::MAX), None);
    }

    #[test]
    fn too_many_holes_only_lose_addresses() {
        let mut arena = Arena::new();
        arena.open(0x1000..0x10_0000);
        for _ in 0..64 {
            arena.take(0x1000);
        }
        for page in 0..32 {
            arena.give_back(0x1000 + page * 0x2000..0x2000 + page * 0x2000);
        }
        for hole in 0..HOLES {
            assert_eq!(arena.take(0x1000), Some(0x1000 + hole * 0x2000));
        }
        assert_eq!(arena.take(0x1000), Some(0x4_1000));
    }

    #[test]
    #[should_panic(expected = "not a kernel page")]
    fn strange_addresses_are_refused() {
        arena().give_back(0x1000..0x2000);
    }
}
