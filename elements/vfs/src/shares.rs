//! Directories of the machine underneath.

use alloc::sync::Arc;

use crate::{FileError, Node};

/// The directories that whoever started the machine shares with it.
pub trait Shares: Sync {
    /// The root of the share that is called `tag`, of which nobody else has asked; [`FileError::NotFound`] if there is
    /// none.
    fn open(&self, tag: &[u8]) -> Result<Arc<dyn Node>, FileError>;

    /// The machine ends: writes back what programs have stored into mappings of shared files.
    fn flush(&self) -> Result<(), FileError> {
        Ok(())
    }
}
