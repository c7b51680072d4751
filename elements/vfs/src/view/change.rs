//! Making and removing entries: mkdir(2), mknod(2), symlink(2), link(2), unlink(2), rmdir(2).

use alloc::sync::Arc;

use crate::{Creation, FileError, Follow, Found, Kind, Last, MakeKind, Node, Removal, View};

impl View<'_> {
    /// Makes a directory, link or special file at `path`.
    pub fn make(&self, path: &[u8], kind: MakeKind<'_>, mode: u32) -> Result<Arc<dyn Node>, FileError> {
        self.made(path, kind, mode)?.node.ok_or(FileError::NotFound)
    }

    /// As [`View::make`]; answers where, too.
    pub fn made(&self, path: &[u8], kind: MakeKind<'_>, mode: u32) -> Result<Found, FileError> {
        let mut found = self.walk(path, Follow::Never)?;
        let (parent, name) = self.vacant(&found, kind == MakeKind::Directory)?;
        let mut creation = Creation { kind, mode: mode & 0o7777, owner: self.owner_in(parent) };
        if kind == MakeKind::Directory {
            creation.mode |= parent.metadata().mode & 0o2000;
        }
        found.node = Some(parent.create(name, &creation)?);
        Ok(found)
    }

    /// Gives `node` one more name.
    pub fn link(&self, node: &Arc<dyn Node>, path: &[u8]) -> Result<(), FileError> {
        self.linked(node, path).map(drop)
    }

    /// As [`View::link`]; answers where.
    pub fn linked(&self, node: &Arc<dyn Node>, path: &[u8]) -> Result<Found, FileError> {
        let found = self.walk(path, Follow::Never)?;
        let (parent, name) = self.vacant(&found, false)?;
        if node.system() != parent.system() {
            return Err(FileError::CrossDevice);
        }
        if node.kind() == Kind::Directory {
            return Err(FileError::NotPermitted);
        }
        parent.link(name, node)?;
        Ok(found)
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
        self.remove(path, Removal::File, drop)
    }

    /// Removes an empty directory (rmdir).
    pub fn remove_directory(&self, path: &[u8]) -> Result<(), FileError> {
        self.remove(path, Removal::Directory, drop)
    }

    /// Removes an entry; then `done` gets what had that name, and where.
    pub fn remove(&self, path: &[u8], removal: Removal, done: fn(Found)) -> Result<(), FileError> {
        let found = self.walk(path, Follow::Never)?;
        match removal {
            Removal::File => self.take_file(&found)?,
            Removal::Directory => self.take_directory(&found)?,
        }
        done(found);
        Ok(())
    }

    fn take_file(&self, found: &Found) -> Result<(), FileError> {
        let Found { parent, last, node, slash } = found;
        let Last::Name(name) = last else { return Err(FileError::IsDirectory) };
        self.mounts.check_change(&**parent)?;
        let node = node.as_ref().ok_or(FileError::NotFound)?;
        let is_directory = node.kind() == Kind::Directory;
        if *slash && !is_directory {
            return Err(FileError::NotDirectory);
        }
        self.check_removal(parent, node)?;
        if is_directory {
            return Err(FileError::IsDirectory);
        }
        if self.mounts.is_root(node) {
            return Err(FileError::Busy);
        }
        parent.remove(name, Removal::File)
    }

    fn take_directory(&self, found: &Found) -> Result<(), FileError> {
        let Found { parent, last, node, .. } = found;
        let name = match last {
            Last::Name(name) => name,
            Last::Dot => return Err(FileError::Invalid),
            Last::DotDot => return Err(FileError::NotEmpty),
            Last::Root => return Err(FileError::Busy),
        };
        self.mounts.check_change(&**parent)?;
        let node = node.as_ref().ok_or(FileError::NotFound)?;
        self.check_removal(parent, node)?;
        if node.kind() != Kind::Directory {
            return Err(FileError::NotDirectory);
        }
        if crate::same(node, self.root) || self.mounts.is_root(node) {
            return Err(FileError::Busy);
        }
        parent.remove(name, Removal::Directory)
    }
}
