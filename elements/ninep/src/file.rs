//! Opening, changing and reading what is no directory.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use sync::Once;
use vfs::{Change, FileError, Kind, Metadata, Node, pipe::Pipe};

use crate::{
    handle::Handle,
    item::{Body, File, Item},
};

impl Item {
    /// Opens it: contents kept here count only as far as nobody has changed the file at the server.
    pub fn open(&self, read: bool, write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        match &self.body {
            Body::File(file) => self.open_file(file, write),
            Body::Special(pipe) => self.open_special(pipe, read, write).map(Some),
            _ => Ok(None),
        }
    }

    fn open_file(&self, file: &File, write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        let item = self.myself.upgrade().ok_or(FileError::NotFound)?;
        if !self.is_removed() {
            let stamp = self.attributes()?.stamp();
            file.contents.revalidate(stamp)?;
        }
        let writer = if write {
            Some(file.remote.writer()?)
        } else {
            file.remote.reader()?;
            None
        };
        file.remote.drop_made();
        Ok(Some(Arc::new(Handle { item, writer })))
    }

    fn open_special(&self, pipe: &Once<Arc<Pipe>>, read: bool, write: bool) -> Result<Arc<dyn Node>, FileError> {
        let Metadata { inode, owner, modified, .. } = self.metadata();
        match self.kind() {
            Kind::Pipe => Ok(Arc::new(pipe.call_once(|| Pipe::new(inode, owner, modified)).open(read, write))),
            // A device is the host's; what this machine has is in its own `/dev`.
            _ => Err(FileError::NoDevice),
        }
    }

    pub fn change(&self, change: &Change) -> Result<(), FileError> {
        if self.is_removed() {
            // There is no name to change it by.
            return Err(FileError::Stale);
        }
        self.share.client.set_attributes(&self.fid(), change)?;
        if change.modified.is_some() && matches!(self.body, Body::Special(_)) {
            self.share.set_modified(&self.fid())?;
        }
        self.outdate();
        Ok(())
    }

    pub fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        let Body::Link(target) = &self.body else { return Err(FileError::Invalid) };
        let changed = self.attributes()?.metadata.changed;
        if let Some((known, target)) = &*target.lock()
            && *known == changed
        {
            return Ok(Cow::Owned(target.clone()));
        }
        let read: Vec<u8> = self.share.client.read_link(&self.fid())?;
        *target.lock() = Some((changed, read.clone()));
        Ok(Cow::Owned(read))
    }

    /// The contents, which are changed: so are the attributes.
    pub fn changing(&self) -> Result<&File, FileError> {
        let file = self.file().ok_or_else(|| self.not_contents())?;
        self.outdate();
        Ok(file)
    }

    pub fn not_contents(&self) -> FileError {
        if self.kind() == Kind::Directory { FileError::IsDirectory } else { FileError::Invalid }
    }

    /// A writer is done: what programs stored goes back, and what the file is like now is no change by others.
    pub fn settle(&self) -> Result<(), FileError> {
        let Some(file) = self.file().filter(|file| file.contents.is_changed()) else { return Ok(()) };
        file.contents.flush(0..u64::MAX)?;
        if !self.is_removed() {
            file.contents.settle(self.ask()?.stamp());
        }
        Ok(())
    }
}
