//! The tree.

use alloc::{
    borrow::Cow,
    sync::{Arc, Weak},
};

use page_cache::Contents;
use vfs::{
    Change, Creation, Cursor, FileError, FilePages, FileSystem, Kind, Listed, Metadata, Moved, Node, Place, Removal,
    RenameMode, ShortSink, Sink, Source, pipe::Pipe,
};

use crate::{
    directory::Lazily,
    known::{Body, Known},
    nodes::Nodes,
};

/// A file, directory or link.
pub struct Item {
    nodes: Arc<Nodes<Self>>,
    known: Arc<Known>,
    /// Where a directory was found first.
    place: Option<Place>,
    myself: Weak<Self>,
}

impl Item {
    /// The node of an inode, which has been found at `place` if it is a directory.
    pub fn found(nodes: &Arc<Nodes<Self>>, number: u32, place: Option<Place>) -> Result<Arc<Self>, FileError> {
        nodes.node(number, |known| {
            Arc::new_cyclic(|myself| Self { nodes: nodes.clone(), known, place, myself: myself.clone() })
        })
    }

    fn contents(&self) -> Result<&Contents, FileError> {
        match &self.known.body {
            Body::File(contents) => Ok(contents),
            Body::Directory(_) => Err(FileError::IsDirectory),
            _ => Err(FileError::Invalid),
        }
    }

    fn entries(&self) -> Result<&Lazily, FileError> {
        if let Body::Directory(entries) = &self.known.body { Ok(entries) } else { Err(FileError::NotDirectory) }
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        self.nodes.leave(self.known.inode.number, self);
        vfs::upwards::let_go(self.place.take(), |above: &mut Self| above.place.take());
    }
}

impl Node for Item {
    fn kind(&self) -> Kind {
        self.known.inode.metadata.kind
    }

    fn metadata(&self) -> Metadata {
        self.known.inode.metadata
    }

    fn change(&self, _change: &Change) -> Result<(), FileError> {
        Err(FileError::ReadOnly)
    }

    fn file_system(&self) -> FileSystem {
        self.nodes.volume.file_system()
    }

    fn system(&self) -> usize {
        Arc::as_ptr(&self.nodes.volume).addr()
    }

    fn open(&self, read: bool, write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        let Body::Special(pipe) = &self.known.body else { return Ok(None) };
        let Metadata { kind, inode, owner, modified, .. } = self.known.inode.metadata;
        if kind != Kind::Pipe {
            // A device of the machine that wrote the image; what this machine has is in its own `/dev`.
            return Err(FileError::NoDevice);
        }
        Ok(Some(Arc::new(pipe.call_once(|| Pipe::new(inode, owner, modified)).open(read, write))))
    }

    fn has_short_ways(&self) -> bool {
        self.contents().is_ok()
    }

    fn read_short(&self, offset: u64, count: usize, sink: ShortSink) -> Moved {
        self.contents().ok()?.read_short(offset, count, sink)
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        self.contents()?.read_at(offset, sink)
    }

    fn write_at(&self, _offset: u64, _source: &mut dyn Source) -> Result<usize, FileError> {
        self.contents().and(Err(FileError::ReadOnly))
    }

    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        self.contents().and(Err(FileError::ReadOnly))
    }

    fn erase(&self, _offset: u64, _length: u64) -> Result<(), FileError> {
        self.contents().and(Err(FileError::ReadOnly))
    }

    fn pages(&self) -> Option<&dyn FilePages> {
        Some(self.contents().ok()?)
    }

    fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        if !matches!(self.known.body, Body::Link) {
            return Err(FileError::Invalid);
        }
        Ok(Cow::Owned(self.known.inode.target(&self.nodes.volume)?))
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        let entries = self.entries()?.get(&self.nodes.volume, &self.known.inode)?;
        let number = entries.find(name).ok_or(FileError::NotFound)?;
        let parent = self.myself.upgrade().ok_or(FileError::NotFound)?;
        let place = Place { parent, name: Cow::Owned(name.to_vec()), removed: false };
        Ok(Self::found(&self.nodes, number, Some(place))?)
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        let entries = self.entries()?.get(&self.nodes.volume, &self.known.inode)?;
        let kind = |number| Ok(self.nodes.volume.inode(number)?.metadata.kind);
        entries.list(cursor, &kind, visit)
    }

    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn create(&self, _name: &[u8], _creation: &Creation<'_>) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::ReadOnly)
    }

    fn link(&self, _name: &[u8], _node: &Arc<dyn Node>) -> Result<(), FileError> {
        Err(FileError::ReadOnly)
    }

    fn remove(&self, _name: &[u8], _removal: Removal) -> Result<(), FileError> {
        Err(FileError::ReadOnly)
    }

    fn rename(&self, _: &[u8], _: &Arc<dyn Node>, _: &[u8], _: RenameMode) -> Result<(), FileError> {
        Err(FileError::ReadOnly)
    }
}
