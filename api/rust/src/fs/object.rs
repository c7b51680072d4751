//! What a file is: the kernel's own object. That of the file system in memory is called by its name; only what another
//! file system brings is called through its table of functions.

use core::any::Any;

use alloc_crate::sync::Arc;
use contracts::vfs::{self, FileError, Node, NodeReference, SliceSink, SliceSource, ramfs};

/// An open file's object.
pub(super) enum Object {
    /// A file in memory.
    Memory(Arc<ramfs::File>),
    /// Anything else.
    Other(NodeReference),
}

impl Object {
    #[inline]
    pub(super) fn new(node: NodeReference) -> Self {
        let any: &dyn Any = &*node;
        if !any.is::<ramfs::File>() {
            return Self::Other(node);
        }
        let any: Arc<dyn Any + Send + Sync> = node;
        match any.downcast() {
            Ok(file) => Self::Memory(file),
            Err(_) => unreachable!("it has been asked"),
        }
    }

    pub(super) fn node(&self) -> &dyn Node {
        match self {
            Self::Memory(file) => &**file,
            Self::Other(node) => &**node,
        }
    }

    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Memory(file) => file.length(),
            Self::Other(node) => node.metadata().size,
        }
    }

    /// Reads from `offset` on.
    #[inline]
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, FileError> {
        match self {
            Self::Memory(file) => Ok(file.read_bytes(offset, buffer)),
            Self::Other(node) => node.read_at(offset, &mut SliceSink::new(buffer)),
        }
    }

    /// Writes at `offset`, or behind the end; the bytes written and the position behind them.
    #[inline]
    pub(super) fn write(&self, offset: Option<u64>, buffer: &[u8]) -> Result<(usize, u64), FileError> {
        match (self, offset) {
            (Self::Memory(file), _) => file.write_bytes(offset, buffer),
            (Self::Other(node), Some(offset)) => {
                let count = node.write_at(offset, &mut SliceSource::new(buffer))?;
                Ok((count, offset.saturating_add(count as u64)))
            }
            (Self::Other(node), None) => node.append(&mut SliceSource::new(buffer)),
        }
    }

    /// Sets the times that small writes have left to be set.
    #[inline]
    pub(super) fn settle(&self) {
        if let Self::Memory(file) = self {
            file.settle_times();
        }
    }

    pub(super) fn metadata(&self) -> vfs::Metadata {
        self.node().metadata()
    }
}
