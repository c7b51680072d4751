//! What is known about files.

use core::fmt;

use contracts::vfs::{self, Change, FileError, Kind};

use super::error::of;
use crate::{io::Result, time::SystemTime};

/// What is known about a file.
#[derive(Clone)]
pub struct Metadata(pub(crate) vfs::Metadata);

impl Metadata {
    /// What it is.
    #[must_use]
    pub const fn file_type(&self) -> FileType {
        FileType(self.0.kind)
    }

    /// Whether it is a directory.
    #[must_use]
    pub fn is_dir(&self) -> bool {
        self.file_type().is_dir()
    }

    /// Whether it is a file with contents.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.file_type().is_file()
    }

    /// Whether it is a symbolic link.
    #[must_use]
    pub fn is_symlink(&self) -> bool {
        self.file_type().is_symlink()
    }

    /// Bytes of contents.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "as in the standard library")]
    pub const fn len(&self) -> u64 {
        self.0.size
    }

    /// Who may do what.
    #[must_use]
    pub const fn permissions(&self) -> Permissions {
        Permissions(self.0.full_mode())
    }

    /// When the contents changed last.
    ///
    /// # Errors
    /// None.
    pub const fn modified(&self) -> Result<SystemTime> {
        Ok(SystemTime::of_file(self.0.modified))
    }

    /// When it was read last.
    ///
    /// # Errors
    /// None.
    pub const fn accessed(&self) -> Result<SystemTime> {
        Ok(SystemTime::of_file(self.0.accessed))
    }

    /// When it was made: nobody writes that down.
    ///
    /// # Errors
    /// Always [`crate::io::ErrorKind::Unsupported`].
    pub const fn created(&self) -> Result<SystemTime> {
        Err(of(FileError::Unsupported))
    }
}

impl fmt::Debug for Metadata {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Metadata");
        fields.field("file_type", &self.file_type()).field("permissions", &self.permissions());
        fields.field("len", &self.len()).finish_non_exhaustive()
    }
}

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FileType(pub(super) Kind);

impl core::hash::Hash for FileType {
    fn hash<H: core::hash::Hasher>(&self, hasher: &mut H) {
        self.0.bits().hash(hasher);
    }
}

impl FileType {
    /// A directory.
    #[must_use]
    pub fn is_dir(&self) -> bool {
        self.0 == Kind::Directory
    }

    /// A file with contents.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.0 == Kind::Regular
    }

    /// A symbolic link.
    #[must_use]
    pub fn is_symlink(&self) -> bool {
        self.0 == Kind::Link
    }
}

impl fmt::Debug for FileType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("FileType").field(&self.0).finish()
    }
}

/// Who may do what.
#[derive(Clone, PartialEq, Eq)]
pub struct Permissions(pub(crate) u32);

const WRITES: u32 = 0o222;

impl Permissions {
    /// Whether nobody may write it.
    #[must_use]
    pub const fn readonly(&self) -> bool {
        self.0 & WRITES == 0
    }

    /// Lets nobody write it, or everybody.
    pub const fn set_readonly(&mut self, readonly: bool) {
        self.0 = if readonly { self.0 & !WRITES } else { self.0 | WRITES };
    }
}

impl fmt::Debug for Permissions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Permissions({:#o})", self.0)
    }
}

/// Times to be set.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileTimes(pub(super) Change);

impl FileTimes {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// When it was read last.
    #[must_use]
    pub const fn set_accessed(mut self, time: SystemTime) -> Self {
        self.0.accessed = Some(time.for_file());
        self
    }

    /// When its contents changed last.
    #[must_use]
    pub const fn set_modified(mut self, time: SystemTime) -> Self {
        self.0.modified = Some(time.for_file());
        self
    }
}
