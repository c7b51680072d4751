//! Disks of the machine, and file systems on them.

use crate::{FileError, Mounting, NodeReference, Owner};

declaration::contract! {
    volumes = "disks as files, and the file systems on them";

    /// The disks that whoever started the machine gives it.
    pub trait Volumes: Sync {
        /// How many there are.
        fn count(&self) -> usize;

        /// Disk `disk`, as a block device: its bytes.
        fn device(&self, disk: usize) -> Option<NodeReference>;

        /// The file system on disk `disk`, which nobody has asked for yet. What has no owners on it is `owner`'s.
        fn mount(&self, disk: usize, read_only: bool, owner: Owner) -> Result<Mounting, Unmountable>;

        /// The machine ends: what was written is brought to where it stays.
        fn flush(&self) -> Result<(), FileError>;
    }
}

/// Why there is no file system on a disk: words for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmountable(pub &'static str);
