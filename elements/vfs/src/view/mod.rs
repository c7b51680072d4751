//! The tree as one process sees it.

mod change;
mod open;
mod rename;
mod walk;

pub use open::{OpenRequest, Opened};
pub use walk::{Follow, Found, Last, MOST_LINKS};

use alloc::sync::Arc;

use crate::{Credentials, FileError, Mounting, Mounts, Node, Place, Powers, Rights, same};

/// The tree from one process' place in it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// What `/` means.
    pub root: &'a Arc<dyn Node>,
    /// Where a path that does not begin with `/` starts.
    pub start: &'a Arc<dyn Node>,
    /// Who asks.
    pub who: &'a Credentials,
    /// The file systems that the tree is made of.
    pub mounts: &'a Mounts,
    /// Where walks may not lead.
    pub confined: Confinement,
}

bitflags::bitflags! {
    /// Where walks may not lead, and what they may not follow (openat2(2)).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Confinement: u8 {
        /// Nothing outside the root is reached, not even by links without a path: [`FileError::CrossDevice`].
        const SCOPED = 0x01;
        /// What would lead above the root is [`FileError::CrossDevice`]; else it is the root.
        const BENEATH = 0x02;
        /// Not from one file system to another: [`FileError::CrossDevice`].
        const ONE_SYSTEM = 0x04;
        /// Symbolic links are [`FileError::TooManyLinks`].
        const NO_LINKS = 0x08;
        /// So are links without a path, as those of `/proc/self/fd`.
        const NO_JUMPS = 0x10;
    }
}

impl Confinement {
    /// Anywhere.
    pub const NONE: Self = Self::empty();
}

impl View<'_> {
    /// The node at `path`.
    pub fn lookup(&self, path: &[u8], follow: Follow) -> Result<Arc<dyn Node>, FileError> {
        self.find(path, follow)
    }

    /// Mounts a file system over what is at `path`. [`FileError::Invalid`] if that has no name, or is looked up as
    /// another node each time (`/proc`).
    pub fn mount(&self, path: &[u8], mounting: Mounting) -> Result<(), FileError> {
        let Found { parent, last, node, .. } = self.walk(path, Follow::Yes)?;
        let node = node.ok_or(FileError::NotFound)?;
        let Last::Name(name) = last else { return Err(FileError::Invalid) };
        let again = self.mounts.enter(&parent, &name, parent.lookup(&name)?);
        if !same(&again, &node) {
            return Err(FileError::Invalid);
        }
        self.mounts.mount(Place { parent, name: name.into(), removed: false }, node, mounting)
    }

    /// Whether entries of `directory` may be added or taken away.
    fn check_entries(&self, directory: &Arc<dyn Node>) -> Result<(), FileError> {
        if self.who.may(Powers::OVERRIDE) {
            return Ok(());
        }
        self.who.check(&directory.metadata(), Rights::WRITE.and(Rights::EXECUTE))
    }

    /// Whether `entry` may be taken out of `directory`.
    #[inline]
    fn check_removal(&self, directory: &Arc<dyn Node>, entry: &Arc<dyn Node>) -> Result<(), FileError> {
        if self.who.may(Powers::OVERRIDE.and(Powers::OWN)) {
            return Ok(());
        }
        self.check_entries(directory)?;
        self.who.check_sticky(&directory.metadata(), &entry.metadata())
    }
}
