//! Making and removing entries: mkdir(2), mknod(2), symlink(2), link(2), unlink(2), rmdir(2).

use alloc::sync::Arc;

use crate::{Creation, FileError, Follow, Found, Kind, Last, MakeKind, Node, Removal, View};

impl View<'_> {
    /// Makes a directory, link or special file at `path`.
    pub fn make(&self, path: &[u8], kind: MakeKind<'_>, mode: u32) -> Result<Arc<dyn Node>, FileError> {
        let found = self.walk(path, Follow::Never)?;
        let (parent, name) = self.vacant(&found, kind == MakeKind::Directory)?;
        let mut creation = Creation { kind, mode: mode & 0o7777, owner: self.owner_in(parent) };
        if kind == MakeKind::Directory {
            creation.mode |= parent.metadata().mode & 0o2000;
        }
        parent.create(name, &creation)
    }

    /// Gives `node` one more name.
    pub fn link(&self, node: &Arc<dyn Node>, path: &[u8]) -> Result<(), FileError> {
        let found = self.walk(path, Follow::Never)?;
        let (parent, name) = self.vacant(&found, false)?;
        if node.system() != parent.system() {
            return Err(FileError::CrossDevice);
        }
        if node.kind() == Kind::Directory {
            return Err(FileError::NotPermitted);
        }
        parent.link(name, node)
    }

    /// Where a new entry goes, and how it is called.
    fn vacant<'f>(&self, found: &'f Found, directory: bool) -> Result<(&'f Arc<dyn Node>, &'f [u8]), FileError> {
        let Last::Name(name) = &found.last else { return Err(FileError::Exists) };
        if found.node.is_some() {
            return Err(FileError::Exists);
        }
        if found.slash && !directory {
            return Err(FileError::NotFound);
        }
        self.mounts.check_change(&*found.parent)?;
        self.check_entries(&found.parent)?;
        Ok((&found.parent, name))
    }

    /// Removes an entry that is no directory (unlink).
    pub fn remove_file(&self, path: &[u8]) -> Result<(), FileError> {
        let Found { parent, last, node, slash } = self.walk(path, Follow::Never)?;
        let Last::Name(name) = last else { return Err(FileError::IsDirectory) };
        self.mounts.check_change(&*parent)?;
        let node = node.ok_or(FileError::NotFound)?;
        let is_directory = node.kind() == Kind::Directory;
        if slash && !is_directory {
            return Err(FileError::NotDirectory);
        }
        self.check_removal(&parent, &node.metadata())?;
        if is_directory {
            return Err(FileError::IsDirectory);
        }
        if self.mounts.is_root(&node) {
            return Err(FileError::Busy);
        }
        parent.remove(&name, Removal::File)
    }

    /// Removes an empty directory (rmdir).
    pub fn remove_directory(&self, path: &[u8]) -> Result<(), FileError> {
        let Found { parent, last, node, .. } = self.walk(path, Follow::Never)?;
        let name = match last {
            Last::Name(name) => name,
            Last::Dot => return Err(FileError::Invalid),
            Last::DotDot => return Err(FileError::NotEmpty),
            Last::Root => return Err(FileError::Busy),
        };
        self.mounts.check_change(&*parent)?;
        let node = node.ok_or(FileError::NotFound)?;
        self.check_removal(&parent, &node.metadata())?;
        if node.kind() != Kind::Directory {
            return Err(FileError::NotDirectory);
        }
        if crate::same(&node, self.root) || self.mounts.is_root(&node) {
            return Err(FileError::Busy);
        }
        parent.remove(&name, Removal::Directory)
    }
}
