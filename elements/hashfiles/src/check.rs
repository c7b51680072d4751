//! Looking at an image before anything in it is believed.

use core::fmt;

use zerocopy::FromBytes;

use crate::layout::{BLOCK, EMPTY, Entry, Header, MAGIC, NAMES, Parts, Slot, VERSION};

/// Why an image cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is not an image of hashed files.
    Foreign,
    /// It has another version, which this is.
    Version(u32),
    /// It is shorter than it says.
    Short,
    /// It says something that cannot be: what.
    Damaged(&'static str),
    /// It could not be read.
    Unreadable,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => formatter.write_str("it is no image of hashed files"),
            Self::Version(version) => write!(formatter, "it has version {version}, and only {VERSION} is known"),
            Self::Short => formatter.write_str("it is shorter than it says"),
            Self::Damaged(what) => write!(formatter, "it is damaged: {what}"),
            Self::Unreadable => formatter.write_str("it cannot be read"),
        }
    }
}

impl core::error::Error for Error {}

/// The header of an image of `length` bytes that begins so, and where its parts are.
pub(crate) fn header(bytes: &[u8], length: u64) -> Result<(Header, Parts), Error> {
    let (header, _) = Header::read_from_prefix(bytes).map_err(|_| Error::Foreign)?;
    if header.magic != MAGIC {
        return Err(Error::Foreign);
    }
    if header.version.get() != VERSION {
        return Err(Error::Version(header.version.get()));
    }
    let parts = Parts::of(header.slots.get(), header.entries.get(), header.texts.get());
    let parts = parts.ok_or(Error::Damaged("its tables are too large"))?;
    if header.length.get() > length || parts.end as u64 > header.length.get() {
        return Err(Error::Short);
    }
    if u64::from(header.furthest.get()) > 1 << header.slots.get() {
        return Err(Error::Damaged("names are further away than the table is long"));
    }
    Ok((header, parts))
}

/// Looks at everything in an index, which begins with `header`.
pub(crate) fn index(index: &[u8], header: &Header, parts: &Parts) -> Result<(), Error> {
    let tables = index.get(NAMES..parts.entries).ok_or(Error::Short)?;
    let slots = <[Slot]>::ref_from_bytes(tables).map_err(|_| Error::Short)?;
    let count = header.entries.get();
    if slots.iter().any(|slot| slot.entry.get() != EMPTY && slot.entry.get() >= count) {
        return Err(Error::Damaged("a table leads nowhere"));
    }
    let entries = index.get(parts.entries..parts.texts).ok_or(Error::Short)?;
    let entries = <[Entry]>::ref_from_bytes(entries).map_err(|_| Error::Short)?;
    entries.iter().try_for_each(|entry| check(entry, header, parts))
}

fn check(entry: &Entry, header: &Header, parts: &Parts) -> Result<(), Error> {
    let name_end = u64::from(entry.name_begin.get()) + u64::from(entry.name_length.get());
    if name_end > header.texts.get() {
        return Err(Error::Damaged("a name lies outside"));
    }
    let (begin, length) = (entry.begin.get(), entry.length.get());
    let is_inside = begin.checked_add(length).is_some_and(|end| end <= header.length.get());
    if !begin.is_multiple_of(BLOCK) || !is_inside || length > 0 && begin < parts.end as u64 {
        return Err(Error::Damaged("contents lie outside"));
    }
    Ok(())
}
