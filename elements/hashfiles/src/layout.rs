//! The structures of an image.

use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U32, U64},
};

use crate::Digest;

/// The first bytes of every image.
pub const MAGIC: [u8; 8] = *b"whshfile";
/// The version described here.
pub const VERSION: u32 = 1;
/// Bytes of a block: contents begin at a multiple, so that they can be mapped.
pub const BLOCK: u64 = 4096;
/// The largest table, as a power of two.
pub const MOST_SLOTS: u32 = 28;
/// A slot without an entry.
pub const EMPTY: u32 = u32::MAX;

/// The beginning of an image.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: U32,
    /// Slots of each table, as a power of two.
    pub slots: U32,
    /// Chosen so that names are near their places.
    pub seed: U64,
    /// Entries.
    pub entries: U32,
    /// Slots that a search looks at, at most.
    pub furthest: U32,
    /// Bytes of all names.
    pub texts: U64,
    /// Bytes of the image.
    pub length: U64,
    /// Zero.
    pub reserved: [u8; 16],
}

/// A place in a table.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Slot {
    /// The upper half of the hash.
    pub tag: U32,
    /// Which entry, or [`EMPTY`].
    pub entry: U32,
}

/// A name and its contents.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Entry {
    /// Where its name begins among the texts.
    pub name_begin: U32,
    /// Bytes of its name.
    pub name_length: U32,
    /// Where its contents begin in the image: a multiple of [`BLOCK`].
    pub begin: U64,
    /// Bytes of its contents.
    pub length: U64,
    /// The digest of its contents.
    pub digest: Digest,
    /// Zero.
    pub reserved: [u8; 8],
}

/// Where the parts of an image begin, in bytes: all before the contents is the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The table of digests; that of names begins behind the header.
    pub digests: usize,
    /// The entries.
    pub entries: usize,
    /// The names.
    pub texts: usize,
    /// What is behind the index.
    pub end: usize,
}

/// Bytes of the header: where the table of names begins.
pub const NAMES: usize = size_of::<Header>();

impl Parts {
    /// Of so many slots (a power of two), entries, and bytes of names; `None` if no image has so many.
    #[must_use]
    pub fn of(slots: u32, entries: u32, texts: u64) -> Option<Self> {
        let table = size_of::<Slot>() << Some(slots).filter(|&slots| slots <= MOST_SLOTS)?;
        let digests = NAMES.checked_add(table)?;
        let begin = digests.checked_add(table)?;
        let texts_begin = begin.checked_add(size_of::<Entry>().checked_mul(entries as usize)?)?;
        let end = texts_begin.checked_add(usize::try_from(texts).ok()?)?;
        Some(Self { digests, entries: begin, texts: texts_begin, end })
    }
}
