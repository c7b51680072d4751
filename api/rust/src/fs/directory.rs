//! Directories: making and listing.

use core::fmt;

use alloc_crate::sync::Arc;
use contracts::vfs::{Cursor, FileError, Follow, Kind, MakeKind, NodeReference};

use super::{FileType, Metadata, error::of, options::UMASK, tree};
use crate::{
    collections::VecDeque,
    ffi::OsString,
    io::Result,
    path::{Path, PathBuf},
    vec::Vec,
};

/// Entries that are fetched at a time.
const BURST: usize = 64;

struct Found {
    name: Vec<u8>,
    kind: Kind,
}

/// A directory that is listed: its entries hold it too, and make their paths when they are asked for.
struct Listed {
    path: PathBuf,
    node: NodeReference,
}

/// A directory's entries, one after the other.
pub struct ReadDir {
    directory: Arc<Listed>,
    cursor: Cursor,
    fetched: VecDeque<Found>,
    /// The end has been reached, or an error.
    done: bool,
}

impl ReadDir {
    pub(super) fn new(path: &Path) -> Result<Self> {
        let node = tree::at(path, |view, path| view.lookup(path, Follow::Yes))?;
        if node.kind() != Kind::Directory {
            return Err(of(FileError::NotDirectory));
        }
        let directory = Arc::new(Listed { path: path.to_path_buf(), node });
        Ok(Self { directory, cursor: Cursor::default(), fetched: VecDeque::with_capacity(BURST), done: false })
    }

    fn fetch(&mut self) -> Result<()> {
        let fetched = &mut self.fetched;
        let result = self.directory.node.list(&mut self.cursor, &mut |listed| {
            let taken = fetched.len() < BURST;
            if taken {
                fetched.push_back(Found { name: listed.name.to_vec(), kind: listed.kind });
            }
            taken
        });
        self.done = result.is_err() || self.fetched.is_empty();
        result.map_err(of)
    }
}

impl Iterator for ReadDir {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Result<DirEntry>> {
        if self.fetched.is_empty()
            && !self.done
            && let Err(error) = self.fetch()
        {
            return Some(Err(error));
        }
        let Found { name, kind } = self.fetched.pop_front()?;
        Some(Ok(DirEntry { name: OsString::from_bytes(name), kind, directory: self.directory.clone() }))
    }
}

impl fmt::Debug for ReadDir {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ReadDir").field(&self.directory.path).finish()
    }
}

/// An entry of a directory.
pub struct DirEntry {
    name: OsString,
    kind: Kind,
    directory: Arc<Listed>,
}

impl DirEntry {
    /// The directory's path and its name.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.path.join(&self.name)
    }

    /// Its name.
    #[must_use]
    pub fn file_name(&self) -> OsString {
        self.name.clone()
    }

    /// What it is.
    ///
    /// # Errors
    /// None.
    pub const fn file_type(&self) -> Result<FileType> {
        Ok(FileType(self.kind))
    }

    /// What is known about it; a symbolic link is not followed.
    ///
    /// # Errors
    /// It is gone.
    pub fn metadata(&self) -> Result<Metadata> {
        let node = self.directory.node.lookup(self.name.as_encoded_bytes()).map_err(of)?;
        Ok(Metadata(node.metadata()))
    }
}

impl fmt::Debug for DirEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("DirEntry").field(&self.path()).finish()
    }
}

/// How to make directories.
#[derive(Clone, Debug)]
pub struct DirBuilder {
    recursive: bool,
    pub(crate) mode: u32,
}

impl DirBuilder {
    /// One directory, for everybody to read.
    #[must_use]
    pub const fn new() -> Self {
        Self { recursive: false, mode: 0o777 }
    }

    /// Whether those above it are made too, and nothing is wrong if it is there.
    pub const fn recursive(&mut self, recursive: bool) -> &mut Self {
        self.recursive = recursive;
        self
    }

    /// Makes it.
    ///
    /// # Errors
    /// What keeps it from being made.
    pub fn create<P: AsRef<Path>>(&self, path: P) -> Result<()> {
        let path = path.as_ref();
        if self.recursive { self.make_all(path) } else { self.make(path) }
    }

    fn make(&self, path: &Path) -> Result<()> {
        tree::at(path, |view, path| view.make(path, MakeKind::Directory, self.mode & !UMASK).map(drop))
    }

    fn make_all(&self, path: &Path) -> Result<()> {
        if path.bytes().is_empty() || path.is_dir() {
            return Ok(());
        }
        if let Some(above) = path.parent() {
            self.make_all(above)?;
        }
        match self.make(path) {
            Err(_) if path.is_dir() => Ok(()),
            result => result,
        }
    }
}

impl Default for DirBuilder {
    fn default() -> Self {
        Self::new()
    }
}
