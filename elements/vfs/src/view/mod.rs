//! The tree as one process sees it.

mod change;
mod open;
mod rename;
mod walk;

pub use open::{OpenRequest, Opened};
pub use walk::{Follow, Found, Last, MOST_LINKS};

use alloc::sync::Arc;

use crate::{Credentials, FileError, Metadata, Node, Rights};

/// The tree from one process' place in it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// What `/` means.
    pub root: &'a Arc<dyn Node>,
    /// Where a path that does not begin with `/` starts.
    pub start: &'a Arc<dyn Node>,
    /// Who asks.
    pub who: &'a Credentials,
}

impl View<'_> {
    /// The node at `path`.
    pub fn lookup(&self, path: &[u8], follow: Follow) -> Result<Arc<dyn Node>, FileError> {
        self.walk(path, follow)?.node.ok_or(FileError::NotFound)
    }

    /// Whether entries of `directory` may be added or taken away.
    fn check_entries(&self, directory: &Arc<dyn Node>) -> Result<(), FileError> {
        if self.who.is_root() {
            return Ok(());
        }
        self.who.check(&directory.metadata(), Rights::WRITE.and(Rights::EXECUTE))
    }

    /// Whether `entry` may be taken out of `directory`.
    fn check_removal(&self, directory: &Arc<dyn Node>, entry: &Metadata) -> Result<(), FileError> {
        if self.who.is_root() {
            return Ok(());
        }
        self.check_entries(directory)?;
        self.who.check_sticky(&directory.metadata(), entry)
    }
}
