//! Symbolic links.

use alloc::borrow::Cow;

use super::base::{Base, by_base};
use crate::{Change, FileError, Kind, Metadata, Node};

/// A symbolic link.
pub(super) struct Link {
    pub(super) base: Base,
    pub(super) target: Cow<'static, [u8]>,
}

impl Node for Link {
    fn kind(&self) -> Kind {
        Kind::Link
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = self.base.metadata(Kind::Link);
        metadata.size = self.target.len() as u64;
        metadata
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        // A link's mode means nothing and stays (symlink(7)).
        if change.mode.is_some() {
            return Err(FileError::Unsupported);
        }
        self.base.change(change);
        Ok(())
    }

    by_base!();

    fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        self.base.read();
        Ok(self.target.clone())
    }
}
