//! One range of an address space.

use alloc::sync::Arc;

use machine::{PageRange, Protection, Source};

/// What a region is for; `/proc/self/maps` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// Anonymous memory.
    Data,
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
    /// The file's path, for a region that shows one.
    pub name: Option<Arc<str>>,
    /// Offset in that file of the region's first byte.
    pub offset: u64,
}

impl Region {
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

    /// The part of the region inside `range`, which overlaps it.
    #[must_use]
    pub(crate) fn cut(&self, range: &PageRange) -> Self {
        let start = self.start.max(range.start);
        let end = self.end.min(range.end);
        let skipped = start - self.start;
        Self { start, end, source: self.source.advance(skipped), offset: self.offset + skipped as u64, ..self.clone() }
    }

    /// Whether `next`, which begins where this ends, continues it.
    pub(crate) fn continues_in(&self, next: &Self) -> bool {
        self.end == next.start
            && self.protection == next.protection
            && self.kind == next.kind
            && self.name == next.name
            && self.source.advance(self.length()) == next.source
            && (self.name.is_none() || self.offset + self.length() as u64 == next.offset)
    }
}
