//! Reading an archive in place.

use crate::{
    BLOCK, CHARACTER, KIND_MASK, PAGE, TRAILER,
    header::{self, Field, field},
};

/// An archive in memory. Nothing is read before somebody asks.
#[derive(Clone, Copy, Debug)]
pub struct Archive<'a> {
    bytes: &'a [u8],
}

impl<'a> Archive<'a> {
    /// The archive in `bytes`, which may be anything at all.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The entries in their order; nothing comes after an error. No bytes at all are an archive without entries.
    #[must_use]
    pub const fn entries(&self) -> Entries<'a> {
        Entries { bytes: self.bytes, at: 0, ended: self.bytes.is_empty() }
    }
}

/// Why an archive cannot be read any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveError {
    /// An entry, or the mark that ends every archive, lies behind the last byte.
    Truncated,
    /// There is no header where one must be.
    NotAnEntry,
    /// A field of a header is not a number.
    NotANumber,
    /// A name without the NUL that ends it.
    BadName,
}

impl core::fmt::Display for ArchiveError {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::Truncated => "the archive ends in the middle",
            Self::NotAnEntry => "the archive has no header where one must be",
            Self::NotANumber => "a header of the archive holds something that is no number",
            Self::BadName => "a name in the archive does not end",
        })
    }
}

impl core::error::Error for ArchiveError {}

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The path as it stands there, without NULs: whatever the writer liked, `..` and leading `/` included.
    pub name: &'a [u8],
    /// The number that hard links of one file share; 0 if it has no others.
    pub inode: u32,
    /// Kind and permissions (`st_mode`).
    pub mode: u32,
    /// Owner.
    pub user: u32,
    /// Group.
    pub group: u32,
    /// Number of hard links.
    pub links: u32,
    /// Last change of contents, seconds since 1970.
    pub modified: u32,
    /// Major and minor number of a device; zeros for all others.
    pub device: (u32, u32),
    /// Where the contents begin, in bytes from the archive's start.
    pub offset: usize,
    /// The contents.
    pub contents: &'a [u8],
}

/// Iterator over the entries of an [`Archive`].
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    bytes: &'a [u8],
    at: usize,
    ended: bool,
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<Entry<'a>, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let entry = self.entry().transpose();
        self.ended = !matches!(entry, Some(Ok(_)));
        entry
    }
}

impl<'a> Entries<'a> {
    /// Reads the entry at `at` and moves behind it; `None` at the trailer. Each entry is longer than nothing, so this
    /// ends.
    fn entry(&mut self) -> Result<Option<Entry<'a>>, ArchiveError> {
        // A zero instead of a header: the rest of this page is padding.
        if self.bytes.get(self.at) == Some(&0) {
            self.at = align(self.at, PAGE)?;
        }
        let (head, _) = self.rest(self.at)?.split_first_chunk().ok_or(ArchiveError::Truncated)?;
        if !header::has_magic(head) {
            return Err(ArchiveError::NotAnEntry);
        }
        let number = |which| field(head, which).ok_or(ArchiveError::NotANumber);

        let name_start = add(self.at, header::LENGTH)?;
        let name_end = add(name_start, number(Field::NameSize)? as usize)?;
        let offset = align(name_end, 4)?;
        let end = add(offset, number(Field::Size)? as usize)?;
        let padded_name = self.bytes.get(name_start..name_end).ok_or(ArchiveError::Truncated)?;
        let length = padded_name.iter().position(|&byte| byte == 0).ok_or(ArchiveError::BadName)?;
        let name = padded_name.get(..length).unwrap_or_default();
        if name == TRAILER {
            return Ok(None);
        }
        // Fields that mean nothing here are not read: every boot reads the archive.
        let (mode, links) = (number(Field::Mode)?, number(Field::Links)?);
        let is_device = matches!(mode & KIND_MASK, CHARACTER | BLOCK);
        let entry = Entry {
            name,
            inode: if links > 1 { number(Field::Inode)? } else { 0 },
            mode,
            user: number(Field::User)?,
            group: number(Field::Group)?,
            links,
            modified: number(Field::Modified)?,
            device: if is_device { (number(Field::SpecialMajor)?, number(Field::SpecialMinor)?) } else { (0, 0) },
            // An entry of nothing at the very end may go without the padding behind its name.
            offset: offset.min(self.bytes.len()),
            contents: if end == offset { &[] } else { self.bytes.get(offset..end).ok_or(ArchiveError::Truncated)? },
        };
        self.at = align(end, 4)?;
        Ok(Some(entry))
    }

    fn rest(&self, at: usize) -> Result<&'a [u8], ArchiveError> {
        self.bytes.get(at..).ok_or(ArchiveError::Truncated)
    }
}

fn add(one: usize, other: usize) -> Result<usize, ArchiveError> {
    one.checked_add(other).ok_or(ArchiveError::Truncated)
}

fn align(at: usize, to: usize) -> Result<usize, ArchiveError> {
    at.checked_next_multiple_of(to).ok_or(ArchiveError::Truncated)
}
