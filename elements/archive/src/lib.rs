//! Boot archives: cpio in the format *newc* (cpio(5)), read in place and written with page-aligned contents.
//!
//! Two customs make an archive fit to be mapped page by page. Contents begin at a multiple of [`PAGE`], because the
//! entry's *name* is padded with NULs up to there; and zeros fill the last page of contents, so that no page holds
//! anything of two files. Where those zeros end, at the next page, the next header begins. The reader takes archives
//! with and without these customs; cpio(1) lists both kinds, with a note about skipped zeros.
#![no_std]
#![forbid(unsafe_code)]

mod header;
mod read;
mod write;

pub use header::eight_digits;
pub use read::{Archive, ArchiveError, Entries, Entry};
pub use write::{Head, HeadError, trailer};

/// Contents of files begin at multiples of this.
pub const PAGE: usize = 4096;

/// The name of the entry that ends an archive.
const TRAILER: &[u8] = b"TRAILER!!!";

/// The part of `st_mode` that says what kind of file an entry is (stat(2)).
pub const KIND_MASK: u32 = 0o170_000;
/// A regular file.
pub const REGULAR: u32 = 0o100_000;
/// A directory.
pub const DIRECTORY: u32 = 0o040_000;
/// A symbolic link; its contents are the target.
pub const LINK: u32 = 0o120_000;
/// A character device.
pub const CHARACTER: u32 = 0o020_000;
/// A block device.
pub const BLOCK: u32 = 0o060_000;
/// A named pipe.
pub const PIPE: u32 = 0o010_000;

#[cfg(test)]
mod tests;
