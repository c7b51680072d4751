//! What files have on Unix, as `std::os::unix::fs`.

use super::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use crate::{
    io::{ErrorKind, Result},
    path::Path,
};

/// Makes the symbolic link `link`, which leads to `original`.
///
/// # Errors
/// What keeps it from being made.
pub fn symlink<P: AsRef<Path>, Q: AsRef<Path>>(original: P, link: Q) -> Result<()> {
    super::make_link(original.as_ref(), link.as_ref())
}

/// Reading and writing without the position.
pub trait FileExt {
    /// Reads at `offset`.
    ///
    /// # Errors
    /// The file's.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize>;

    /// Writes at `offset`.
    ///
    /// # Errors
    /// The file's.
    fn write_at(&self, buffer: &[u8], offset: u64) -> Result<usize>;

    /// Fills all of `buffer` from `offset` on.
    ///
    /// # Errors
    /// The file's; [`ErrorKind::UnexpectedEof`] if there is less.
    fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> Result<()> {
        while !buffer.is_empty() {
            let count = self.read_at(buffer, offset)?;
            if count == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            buffer = &mut buffer[count..];
            offset += count as u64;
        }
        Ok(())
    }

    /// Writes all of `buffer` at `offset`.
    ///
    /// # Errors
    /// The file's; [`ErrorKind::WriteZero`] if it takes no more.
    fn write_all_at(&self, mut buffer: &[u8], mut offset: u64) -> Result<()> {
        while !buffer.is_empty() {
            let count = self.write_at(buffer, offset)?;
            if count == 0 {
                return Err(ErrorKind::WriteZero.into());
            }
            buffer = &buffer[count..];
            offset += count as u64;
        }
        Ok(())
    }
}

impl FileExt for File {
    #[inline]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        self.read_from(offset, buffer)
    }

    #[inline]
    fn write_at(&self, buffer: &[u8], offset: u64) -> Result<usize> {
        Ok(self.write_to(offset, buffer)?.0)
    }
}

/// What stat(2) tells, by its names.
#[allow(missing_docs, reason = "stat(2) is their documentation")]
pub trait MetadataExt {
    fn dev(&self) -> u64;
    fn ino(&self) -> u64;
    fn mode(&self) -> u32;
    fn nlink(&self) -> u64;
    fn uid(&self) -> u32;
    fn gid(&self) -> u32;
    fn size(&self) -> u64;
    fn mtime(&self) -> i64;
    fn mtime_nsec(&self) -> i64;
}

const SECOND: i64 = 1_000_000_000;

impl MetadataExt for Metadata {
    fn dev(&self) -> u64 {
        self.0.device
    }

    fn ino(&self) -> u64 {
        self.0.inode
    }

    fn mode(&self) -> u32 {
        self.0.full_mode()
    }

    fn nlink(&self) -> u64 {
        u64::from(self.0.links)
    }

    fn uid(&self) -> u32 {
        self.0.owner.user
    }

    fn gid(&self) -> u32 {
        self.0.owner.group
    }

    fn size(&self) -> u64 {
        self.0.size
    }

    fn mtime(&self) -> i64 {
        self.0.modified.div_euclid(SECOND)
    }

    fn mtime_nsec(&self) -> i64 {
        self.0.modified.rem_euclid(SECOND)
    }
}

/// Permissions as bits.
pub trait PermissionsExt {
    /// The bits.
    fn mode(&self) -> u32;
    /// Sets them.
    fn set_mode(&mut self, mode: u32);
    /// Of bits.
    fn from_mode(mode: u32) -> Self;
}

impl PermissionsExt for Permissions {
    fn mode(&self) -> u32 {
        self.0
    }

    fn set_mode(&mut self, mode: u32) {
        self.0 = mode;
    }

    fn from_mode(mode: u32) -> Self {
        Self(mode)
    }
}

/// Permissions of files that are made.
pub trait OpenOptionsExt {
    /// Sets the bits.
    fn mode(&mut self, mode: u32) -> &mut Self;
}

impl OpenOptionsExt for OpenOptions {
    fn mode(&mut self, mode: u32) -> &mut Self {
        self.mode = mode;
        self
    }
}

/// Permissions of directories that are made.
pub trait DirBuilderExt {
    /// Sets the bits.
    fn mode(&mut self, mode: u32) -> &mut Self;
}

impl DirBuilderExt for DirBuilder {
    fn mode(&mut self, mode: u32) -> &mut Self {
        self.mode = mode;
        self
    }
}
