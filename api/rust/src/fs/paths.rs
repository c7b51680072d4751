//! What a path tells about the file at it.

use super::{Metadata, ReadDir};
use crate::{
    fs,
    io::Result,
    path::{Path, PathBuf},
};

impl Path {
    /// See [`fs::metadata`].
    ///
    /// # Errors
    /// See there.
    pub fn metadata(&self) -> Result<Metadata> {
        fs::metadata(self)
    }

    /// See [`fs::symlink_metadata`].
    ///
    /// # Errors
    /// See there.
    pub fn symlink_metadata(&self) -> Result<Metadata> {
        fs::symlink_metadata(self)
    }

    /// See [`fs::canonicalize`].
    ///
    /// # Errors
    /// See there.
    pub fn canonicalize(&self) -> Result<PathBuf> {
        fs::canonicalize(self)
    }

    /// See [`fs::read_link`].
    ///
    /// # Errors
    /// See there.
    pub fn read_link(&self) -> Result<PathBuf> {
        fs::read_link(self)
    }

    /// See [`fs::read_dir`].
    ///
    /// # Errors
    /// See there.
    pub fn read_dir(&self) -> Result<ReadDir> {
        fs::read_dir(self)
    }

    /// Whether there is something at the path.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.metadata().is_ok()
    }

    /// See [`fs::exists`].
    ///
    /// # Errors
    /// See there.
    pub fn try_exists(&self) -> Result<bool> {
        fs::exists(self)
    }

    /// Whether it leads to a file with contents.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.metadata().is_ok_and(|known| known.is_file())
    }

    /// Whether it leads to a directory.
    #[must_use]
    pub fn is_dir(&self) -> bool {
        self.metadata().is_ok_and(|known| known.is_dir())
    }

    /// Whether a symbolic link is at it.
    #[must_use]
    pub fn is_symlink(&self) -> bool {
        self.symlink_metadata().is_ok_and(|known| known.is_symlink())
    }
}
