//! Directories of the machine underneath.

use crate::{FileError, NodeReference};

declaration::contract! {
    shares = "directories of the host that the program sees";

    /// The directories that whoever started the machine shares with it.
    pub trait Shares: Sync {
        /// The root of the share that is called `tag`, of which nobody else has asked; [`FileError::NotFound`] if there
        /// is none.
        fn open(&self, tag: &[u8]) -> Result<NodeReference, FileError>;

        /// The machine ends: writes back what programs have stored into mappings of shared files.
        fn flush(&self) -> Result<(), FileError> {
            Ok(())
        }
    }
}
