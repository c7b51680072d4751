//! One range of an address space.

use core::ops::Range;

use machine::{LARGE_PAGE_SIZE, Larger, PAGE_SIZE, PageRange, Protection, Source};

use crate::FileReference;

/// What a region is for; `/proc/self/maps` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// Anonymous memory.
    Data,
    /// Anonymous memory that was asked for as shared.
    Shared,
    /// The main thread's stack.
    Stack,
    /// The heap of brk(2).
    Heap,
    /// A segment of the program.
    Image,
    /// A mapped file.
    File,
    /// The pages of a file's mapping behind the file's last one: not there, but not free either.
    BehindFile,
    /// The page of the platform's by which programs read clocks.
    Platform,
    /// Instructions of the kernel's that stand for some of the program's. The program is not shown that they are there.
    Stubs,
}

/// A range whose pages share protection, source and purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// First address, page-aligned.
    pub start: usize,
    /// First address behind it, page-aligned.
    pub end: usize,
    /// What the program may do. Write and execute may both be set: the manager then grants one at a time.
    pub protection: Protection,
    /// First contents of the region's first page.
    pub source: Source,
    /// What it is for.
    pub kind: RegionKind,
    /// The file that it shows.
    pub file: Option<FileReference>,
    /// Offset in that file of the region's first byte.
    pub offset: u64,
    /// Whether it grows downwards when the addresses below it are touched (MAP_GROWSDOWN, and the main stack).
    pub grows_down: bool,
    /// Whether it may have larger pages.
    pub larger: Larger,
    /// Whether it is locked in memory (mlock(2)).
    pub locked: bool,
    /// Whether it stays as it is (mseal(2)).
    pub sealed: bool,
}

/// Addresses below a region that grows down which stay free for it: Linux' `stack_guard_gap` of 256 pages.
pub const STACK_GAP: usize = 256 * PAGE_SIZE;

impl Region {
    /// Whether what is stored here would be others' too.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.source.is_shared() || self.kind == RegionKind::Shared
    }

    /// The region's addresses.
    #[must_use]
    pub const fn range(&self) -> PageRange {
        self.start..self.end
    }

    /// Bytes.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.end - self.start
    }

    /// Where the contents of the page at `address`, inside the region, come from.
    #[must_use]
    pub const fn source_at(&self, address: usize) -> Source {
        self.source.advance(address - self.start)
    }

    /// The number in the file of the page at `address`, inside the region.
    #[must_use]
    pub const fn file_page(&self, address: usize) -> u64 {
        (self.offset + (address - self.start) as u64) / PAGE_SIZE as u64
    }

    /// Where these pages of its file are, as far as they are in the region.
    #[must_use]
    pub fn addresses_of(&self, pages: &Range<u64>) -> Option<PageRange> {
        let first = self.offset / PAGE_SIZE as u64;
        let count = (self.length() / PAGE_SIZE) as u64;
        let start = pages.start.saturating_sub(first).min(count);
        let end = pages.end.saturating_sub(first).min(count);
        let at = |page: u64| self.start + page as usize * PAGE_SIZE;
        (start < end).then(|| at(start)..at(end))
    }

    /// The first address that is not to be given to others: where it begins, or the gap below it.
    #[must_use]
    pub const fn guarded_start(&self) -> usize {
        if self.grows_down { self.start.saturating_sub(STACK_GAP) } else { self.start }
    }

    /// Whether the page at `address`, inside the region, may be part of a larger one: of zeros, and all in the region.
    #[must_use]
    #[inline]
    pub const fn larger_at(&self, address: usize) -> Larger {
        let start = address & !(LARGE_PAGE_SIZE - 1);
        let fits = start >= self.start && self.end - start >= LARGE_PAGE_SIZE;
        if fits && matches!(self.source, Source::Zero) { self.larger } else { Larger::No }
    }

    /// The part of the region inside `range`, which overlaps it.
    #[must_use]
    pub(crate) fn cut(&self, range: &PageRange) -> Self {
        let start = self.start.max(range.start);
        let end = self.end.min(range.end);
        let skipped = start - self.start;
        Self { start, end, source: self.source.advance(skipped), offset: self.offset + skipped as u64, ..self.clone() }
    }

    /// Gives up what lies before `start`, which is inside.
    pub(crate) const fn begin_at(&mut self, start: usize) {
        let skipped = start - self.start;
        (self.start, self.source, self.offset) = (start, self.source.advance(skipped), self.offset + skipped as u64);
    }

    /// What neighbours must have in common to be one, in the order in which the compiler lays it out: one word to
    /// compare.
    const fn traits(&self) -> u64 {
        let Protection { read, write, execute } = self.protection;
        let (kind, larger) = (self.kind as u8, self.larger as u8);
        let (read, write, execute) = (read as u8, write as u8, execute as u8);
        let (grows_down, locked, sealed) = (self.grows_down as u8, self.locked as u8, self.sealed as u8);
        u64::from_le_bytes([kind, larger, read, write, execute, grows_down, locked, sealed])
    }

    /// Whether `next` begins where this ends, and continues it.
    #[inline(always)]
    pub(crate) fn continues_in(&self, next: &Self) -> bool {
        self.end == next.start && self.is_continued_by(next)
    }

    #[inline(never)]
    fn is_continued_by(&self, next: &Self) -> bool {
        self.traits() == next.traits()
            && self.file == next.file
            && self.source.advance(self.length()) == next.source
            && (self.file.is_none() || self.offset + self.length() as u64 == next.offset)
    }
}
