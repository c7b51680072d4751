//! Devices, named pipes and sockets.

use alloc::sync::Arc;

use sync::Once;

use super::base::{Base, by_base};
use crate::{Change, FileError, Kind, Metadata, Node, pipe::Pipe};

/// A node that only stands for something else.
pub(super) struct Special {
    pub(super) base: Base,
    pub(super) kind: Kind,
    pub(super) number: (u32, u32),
    /// The bytes of a named pipe, from the first time it is opened.
    pub(super) pipe: Once<Arc<Pipe>>,
}

impl Special {
    pub(super) const fn new(base: Base, kind: Kind, number: (u32, u32)) -> Self {
        Self { base, kind, number, pipe: Once::new() }
    }
}

impl Node for Special {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = self.base.metadata(self.kind);
        metadata.special = self.number;
        metadata
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.base.change(change);
        Ok(())
    }

    by_base!();

    fn open(&self, read: bool, write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        match self.kind {
            Kind::Pipe => {
                let Metadata { inode, owner, modified, .. } = self.metadata();
                let pipe = self.pipe.call_once(|| Pipe::new(inode, owner, modified));
                Ok(Some(Arc::new(pipe.open(read, write))))
            }
            Kind::Character | Kind::Block => self.base.shared.surroundings.device(self.kind, self.number).map(Some),
            _ => Err(FileError::NoDevice),
        }
    }
}
