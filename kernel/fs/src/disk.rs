//! File systems on disks in the tree.

use alloc::sync::Arc;

use vfs::{FileError, Mounting, Node, NodeReference, Owner, Unmountable, Volumes};

use crate::place::{put, text};

/// A disk, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Disk<'a> {
    /// Where the file system on it stands; `/` is below everything else, nothing is nowhere.
    pub path: &'a [u8],
    /// Nothing on it changes.
    pub read_only: bool,
    /// What people call it.
    pub name: &'a [u8],
}

impl<'a> Disk<'a> {
    /// Reads the text of a launch record's field: see `launch::Key::Disk`.
    #[must_use]
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        let mut parts = text.splitn(3, |&byte| byte == b',');
        let read_only = match parts.next()? {
            b"ro" => true,
            b"rw" => false,
            _ => return None,
        };
        Some(Self { read_only, path: parts.next()?, name: parts.next()? })
    }

    pub(crate) fn is_root(&self) -> bool {
        self.path == b"/"
    }

    /// The file system on it.
    pub(crate) fn mount(&self, number: usize, owner: Owner) -> Result<Mounting, FileError> {
        let mounted = contracts::volumes::mount(number, self.read_only, owner);
        mounted.map_err(|Unmountable(words)| {
            kernel::error!("{}: {words}", text(self.name));
            FileError::Failed
        })
    }

    /// Puts the file system on it into the tree, if it is to stand anywhere.
    pub(crate) fn stand_in(&self, root: &Arc<dyn Node>, number: usize, owner: Owner) -> Result<(), FileError> {
        if self.path.is_empty() {
            return Ok(());
        }
        let mounted = self.mount(number, owner)?;
        put(root, self.path, mounted).inspect_err(|error| {
            kernel::error!("{}: {} cannot stand there: {error:?}", text(self.path), text(self.name));
        })
    }
}

/// Provider of the contract `volumes` for a machine without disks.
#[derive(Debug, Default)]
pub struct NoVolumes;

impl NoVolumes {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Volumes for NoVolumes {
    fn count(&self) -> usize {
        0
    }

    fn device(&self, _disk: usize) -> Option<NodeReference> {
        None
    }

    fn mount(&self, _disk: usize, _read_only: bool, _owner: Owner) -> Result<Mounting, Unmountable> {
        Err(Unmountable("this image knows no disks: it has the component no-volumes, not disks"))
    }

    fn flush(&self) -> Result<(), FileError> {
        Ok(())
    }
}
