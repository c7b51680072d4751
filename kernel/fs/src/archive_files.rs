//! The boot archive alone, as it lies in memory: a tree that is only read.

use alloc::{borrow::Cow, sync::Arc};

use vfs::{FileError, Given, Mounting, Node, RootFiles, packed};

use crate::{MOUNTS, device};

/// Provider of the contract `root` that shows the archive's files and nothing else.
#[derive(Debug, Default)]
pub struct ArchiveFiles;

impl ArchiveFiles {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl RootFiles for ArchiveFiles {
    fn begin(&self, given: Given<'_, '_>) -> Result<Arc<dyn Node>, FileError> {
        if given.shares.next().is_some() || given.disks.next().is_some() {
            kernel::error!(
                "this image shows its archive's files only: it has the component archive-files, not whole-tree"
            );
            return Err(FileError::Failed);
        }
        let root = packed::root(device::ROOT, given.archive).map_err(|_| {
            kernel::error!("the boot archive is damaged");
            FileError::Failed
        })?;
        if contracts::config().short_ways {
            vfs::keep_paths();
        }
        let source = Cow::Borrowed(&b"archive"[..]);
        MOUNTS.begin(Mounting { root: Arc::clone(&root), kind: "romfs", source, read_only: true });
        Ok(root)
    }
}
