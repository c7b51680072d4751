//! Addresses for the kernel's own pages: given out upwards, taken back into a short list of holes.
//!
//! Those at the end come first: they lie beside the image, so the host needs no page tables for them alone. A process
//! that is copied has each of its tables copied, and given back when the copy ends. What has guard pages lies apart
//! there from what has none, which large pages can take the place of (`spaces/large.rs`).

use core::ops::Range;

use sync::Mutex;

/// Holes remembered. A kernel gives pages back seldom; what does not fit is lost as addresses, not as memory.
const HOLES: usize = 16;

/// Bytes beside the image for what has no guard pages, and below them for what has.
const NEAR: usize = 32 << 20;
const GUARDED: usize = 32 << 20;

/// Bytes of a large page of the host's.
pub const LARGE: usize = 2 << 20;

/// The arena.
pub static ARENA: Mutex<Arena> = Mutex::new(Arena::new());

/// What addresses are wanted for.
#[derive(Clone, Copy, Debug)]
pub enum For {
    /// What few pages are touched of, or what is used for a moment.
    Seldom,
    /// What has guard pages.
    Guarded,
    /// All else.
    Often,
}

impl For {
    /// The parts that have such, the best one first.
    const fn parts(self) -> &'static [usize] {
        match self {
            Self::Seldom => &[FAR, Arena::NEAR],
            Self::Guarded => &[Arena::GUARDED, FAR, Arena::NEAR],
            Self::Often => &[Arena::NEAR, FAR],
        }
    }
}

/// The part that is not near the image.
const FAR: usize = 0;

/// Free addresses.
#[derive(Debug)]
pub struct Arena {
    parts: [Part; 3],
    /// Free ranges of all parts, each below its part's `next`, as start and length; the length is 0 where there is
    /// none.
    holes: [(usize, usize); HOLES],
}

/// A part of the arena, given out upwards.
#[derive(Debug)]
struct Part {
    start: usize,
    next: usize,
    end: usize,
}

impl Part {
    const fn of(range: Range<usize>) -> Self {
        Self { start: range.start, next: range.start, end: range.end }
    }

    fn take(&mut self, length: usize) -> Option<usize> {
        let address = self.next;
        self.next = address.checked_add(length).filter(|&next| next <= self.end)?;
        Some(address)
    }

    /// Whether these addresses may have been given out.
    const fn holds(&self, range: &Range<usize>) -> bool {
        self.start <= range.start && range.start < range.end && range.end <= self.next
    }
}

impl Arena {
    const GUARDED: usize = 1;
    const NEAR: usize = 2;

    const fn new() -> Self {
        Self { parts: [const { Part::of(0..0) }; 3], holes: [(0, 0); HOLES] }
    }

    /// Begins to give out `range`, at whose end the image is.
    pub fn open(&mut self, range: Range<usize>) {
        let near = (range.end.saturating_sub(NEAR) / LARGE * LARGE).max(range.start);
        let guarded = near.saturating_sub(GUARDED).max(range.start);
        self.parts = [range.start..guarded, guarded..near, near..range.end].map(Part::of);
    }

    /// Its parts: the large one, what has guard pages, and what is beside the image and has none.
    pub fn parts(&self) -> [Range<usize>; 3] {
        self.parts.each_ref().map(|part| part.start..part.end)
    }

    /// Where those are that somebody has, or had; by [`Arena::parts`].
    pub fn used(&self) -> [Range<usize>; 3] {
        self.parts.each_ref().map(|part| part.start..part.next)
    }

    /// Takes `length` bytes of addresses.
    pub fn take(&mut self, length: usize, wanted: For) -> Option<usize> {
        wanted.parts().iter().find_map(|&part| self.take_of(part, length))
    }

    fn take_of(&mut self, part: usize, length: usize) -> Option<usize> {
        let part = &mut self.parts[part];
        let is_enough =
            |&&mut (start, free): &&mut (usize, usize)| free >= length && part.holds(&(start..start + free));
        if let Some((start, free)) = self.holes.iter_mut().find(is_enough) {
            let address = *start;
            *start += length;
            *free -= length;
            return Some(address);
        }
        part.take(length)
    }

    /// Whether these addresses may have been given out.
    pub fn holds(&self, range: &Range<usize>) -> bool {
        self.parts.iter().any(|part| part.holds(range))
    }

    /// Gives addresses back. Panics if they were never given out.
    pub fn give_back(&mut self, mut range: Range<usize>) {
        let part = self.parts.iter_mut().find(|part| part.holds(&range)).expect("a kernel page");
        while let Some(hole) = self.holes.iter_mut().find(|(start, length)| {
            let hole = *start..start + length;
            part.holds(&hole) && (hole.start == range.end || hole.end == range.start)
        }) {
            let (start, length) = core::mem::take(hole);
            range = range.start.min(start)..range.end.max(start + length);
        }
        if range.end == part.next {
            part.next = range.start;
        } else if let Some(free) = self.holes.iter_mut().find(|(_, length)| *length == 0) {
            *free = (range.start, range.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(arena: &mut Arena, length: usize) -> Option<usize> {
        arena.take(length, For::Often)
    }

    fn arena() -> Arena {
        let mut arena = Arena::new();
        arena.open(0x1000..0x9000);
        arena
    }

    #[test]
    fn addresses_come_once_and_come_back() {
        let mut arena = arena();
        assert_eq!(take(&mut arena, 0x2000), Some(0x1000));
        assert_eq!(take(&mut arena, 0x1000), Some(0x3000));
        assert_eq!(take(&mut arena, 0x1000), Some(0x4000));
        arena.give_back(0x1000..0x3000);
        assert_eq!(take(&mut arena, 0x1000), Some(0x1000));
        assert_eq!(take(&mut arena, 0x2000), Some(0x5000));
        assert_eq!(take(&mut arena, 0x3000), None);
        assert_eq!(take(&mut arena, 0x1000), Some(0x2000));
        arena.give_back(0x2000..0x3000);
        arena.give_back(0x4000..0x5000);
        arena.give_back(0x3000..0x4000);
        arena.give_back(0x1000..0x2000);
        assert_eq!(take(&mut arena, 0x4000), Some(0x1000));
        arena.give_back(0x1000..0x5000);
        arena.give_back(0x5000..0x7000);
        assert_eq!(take(&mut arena, 0x8000), Some(0x1000));
        assert_eq!(take(&mut arena, usize::MAX), None);
    }

    #[test]
    fn addresses_beside_the_image_come_first() {
        const START: usize = 0x1000_0000;
        const BELOW: usize = START + LARGE;
        let near = BELOW + GUARDED;
        let mut arena = Arena::new();
        arena.open(START..near + NEAR);
        assert_eq!(arena.parts(), [START..BELOW, BELOW..near, near..near + NEAR]);
        assert_eq!(take(&mut arena, NEAR - 0x1000), Some(near));
        // What has no room there, and what is to leave it to others.
        assert_eq!(take(&mut arena, 0x2000), Some(START));
        assert_eq!(arena.take(0x1000, For::Seldom), Some(START + 0x2000));
        assert_eq!(arena.take(0x3000, For::Guarded), Some(BELOW));
        assert_eq!(take(&mut arena, 0x1000), Some(near + NEAR - 0x1000));
        assert_eq!(arena.used(), [START..START + 0x3000, BELOW..BELOW + 0x3000, near..near + NEAR]);
        arena.give_back(START..START + 0x1000);
        arena.give_back(near..near + 0x1000);
        assert_eq!([take(&mut arena, 0x1000), take(&mut arena, 0x1000)], [Some(near), Some(START)]);
        assert!(!arena.holds(&(START + 0x3000..START + 0x4000)) && !arena.holds(&(START + 0x2000..near + 0x1000)));
        assert_eq!(arena.take(GUARDED, For::Guarded), None);
        assert_eq!(arena.take(LARGE / 2, For::Guarded), Some(BELOW + 0x3000));
    }

    #[test]
    fn holes_of_two_parts_stay_apart() {
        const START: usize = 0x1000_0000;
        let guarded = START + LARGE;
        let mut arena = Arena::new();
        arena.open(START..guarded + GUARDED + NEAR);
        assert_eq!(arena.take(LARGE, For::Seldom), Some(START));
        assert_eq!(arena.take(0x2000, For::Guarded), Some(guarded));
        arena.give_back(guarded..guarded + 0x1000);
        arena.give_back(START..guarded);
        let near = guarded + GUARDED;
        assert_eq!(arena.used(), [START..START, guarded..guarded + 0x2000, near..near]);
        arena.give_back(guarded + 0x1000..guarded + 0x2000);
        assert_eq!(arena.used(), [START..START, guarded..guarded, near..near]);
    }

    #[test]
    fn too_many_holes_only_lose_addresses() {
        let mut arena = Arena::new();
        arena.open(0x1000..0x10_0000);
        for _ in 0..64 {
            take(&mut arena, 0x1000);
        }
        for page in 0..32 {
            arena.give_back(0x1000 + page * 0x2000..0x2000 + page * 0x2000);
        }
        for hole in 0..HOLES {
            assert_eq!(take(&mut arena, 0x1000), Some(0x1000 + hole * 0x2000));
        }
        assert_eq!(take(&mut arena, 0x1000), Some(0x4_1000));
    }

    #[test]
    #[should_panic(expected = "a kernel page")]
    fn strange_addresses_are_refused() {
        arena().give_back(0x1000..0x2000);
    }
}
