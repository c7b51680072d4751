//! The files that a program with system calls begins with.

use crate::{FileError, NodeReference, Owner};

/// What whoever started the machine says about its files.
pub struct Given<'a, 'launch> {
    /// The boot archive, which never goes.
    pub archive: &'static [u8],
    /// Directories of the host: `launch::Key::Mount` says what these texts are.
    pub shares: &'a mut dyn Iterator<Item = &'launch [u8]>,
    /// Disks in the order of their numbers: see `launch::Key::Disk`.
    pub disks: &'a mut dyn Iterator<Item = &'launch [u8]>,
    /// Whose the files on disks are that have no owners.
    pub owner: Owner,
}

declaration::contract! {
    root = "the files that a Linux program begins with";

    /// Puts the tree of files together.
    pub trait RootFiles: Sync {
        /// The root, once, before the first program. [`FileError::Failed`] if something given cannot be shown, with a
        /// line that says what.
        fn begin(&self, given: Given<'_, '_>) -> Result<NodeReference, FileError>;

        /// The machine ends: what was written is brought to where it stays, with a line about what could not.
        fn flush(&self) {}
    }
}
