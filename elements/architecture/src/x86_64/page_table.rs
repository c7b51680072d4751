//! Page tables (Intel SDM volume 3, 4.5): how entries look, and what those of a level cover. How tables are walked and
//! changed is the element `paging`'s.

/// Levels of tables, the root's being the highest.
pub const LEVELS: usize = 4;

/// What a leaf covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSize {
    /// 4 KB.
    Small = 1,
    /// 2 MB.
    Large = 2,
    /// 1 GB.
    Huge = 3,
}

impl PageSize {
    /// Bytes of such a page.
    #[must_use]
    pub const fn bytes(self) -> usize {
        1 << shift(self as usize)
    }
}

/// The lowest bit of an address that chooses an entry of a table of this level.
#[must_use]
pub const fn shift(level: usize) -> usize {
    12 + 9 * (level - 1)
}

/// An entry of a table of any level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct PageTableEntry(pub u64);

/// One table in use, as counted in [`PageTableEntry::children`].
const CHILD: u64 = 1 << 52;
/// The bits that count them. Bits 52 to 62 of an entry that points to a table are ignored by the processor.
const CHILDREN: u64 = 0x3ff << 52;
const ADDRESS: u64 = 0x000f_ffff_ffff_f000;

impl PageTableEntry {
    /// Nothing there.
    pub const EMPTY: Self = Self(0);
    /// May be used for translation.
    pub const PRESENT: u64 = 1;
    /// Stores are allowed.
    pub const WRITABLE: u64 = 1 << 1;
    /// Ring 3 may use it.
    pub const USER: u64 = 1 << 2;
    /// Stores go through the cache.
    pub const WRITE_THROUGH: u64 = 1 << 3;
    /// Not cached.
    pub const NO_CACHE: u64 = 1 << 4;
    /// What the processor notes by itself: accessed, dirty.
    pub const MARKS: u64 = 3 << 5;
    /// The processor notes by itself that there was a store.
    pub const DIRTY: u64 = 1 << 6;
    /// A leaf of 2 MB or 1 GB.
    pub const LARGE: u64 = 1 << 7;
    /// Survives a reload of CR3.
    pub const GLOBAL: u64 = 1 << 8;
    /// Ignored by the processor, free for the caller.
    pub const AVAILABLE: u64 = 1 << 9;
    /// No instruction fetches.
    pub const NO_EXECUTE: u64 = 1 << 63;

    /// A leaf (or, with [`PageTableEntry::table`], a table) at `physical` with these flags.
    #[must_use]
    pub const fn new(physical: usize, flags: u64) -> Self {
        Self(physical as u64 & ADDRESS | flags)
    }

    /// An entry that points to a table: all rights, so that leaves decide.
    #[must_use]
    pub const fn table(physical: usize, user: bool) -> Self {
        Self::new(physical, Self::PRESENT | Self::WRITABLE | if user { Self::USER } else { 0 })
    }

    /// Whether nothing is there.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of these flags are set.
    #[must_use]
    pub const fn has(self, flags: u64) -> bool {
        self.0 & flags == flags
    }

    /// The physical address it points to.
    #[must_use]
    pub const fn address(self) -> usize {
        (self.0 & ADDRESS) as usize
    }

    /// The same with other flags. The processor's own marks (accessed, dirty) go too.
    #[must_use]
    pub const fn with_flags(self, flags: u64) -> Self {
        Self(self.0 & ADDRESS | flags)
    }

    /// The leaf of a small page at `physical` with the rights and marks of this one, whatever that covers.
    #[must_use]
    pub const fn at(self, physical: usize) -> Self {
        Self(physical as u64 & ADDRESS | self.0 & !ADDRESS & !Self::LARGE)
    }

    /// What a leaf in a table of this level covers; `None` if the entry points to a table.
    #[must_use]
    pub const fn size(self, level: usize) -> Option<PageSize> {
        match level {
            1 => Some(PageSize::Small),
            2 if self.has(Self::LARGE) => Some(PageSize::Large),
            3 if self.has(Self::LARGE) => Some(PageSize::Huge),
            _ => None,
        }
    }

    /// For an entry that points to a table: how many entries of that are not empty.
    #[must_use]
    pub const fn children(self) -> usize {
        ((self.0 & CHILDREN) / CHILD) as usize
    }

    /// The same with so many more in use.
    #[must_use]
    pub const fn more_children(self, count: usize) -> Self {
        Self(self.0 + count as u64 * CHILD)
    }

    /// The same with so many fewer in use.
    #[must_use]
    pub const fn fewer_children(self, count: usize) -> Self {
        Self(self.0 - count as u64 * CHILD)
    }
}
