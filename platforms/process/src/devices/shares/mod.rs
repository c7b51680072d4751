//! The host's directories as file systems: a share is a directory that the command has opened, by the number of its
//! descriptor.
//!
//! A node is a file opened for its name only; it is read and written by another descriptor, opened when somebody opens
//! it. Every file is reached from its directory's descriptor by one name that is no link: what the host's users rename
//! meanwhile, and what a program puts into a name, lead nowhere else. Device files of the host are shown, and cannot be
//! opened; a named pipe and a socket there are names for the machine's own.

mod convert;
mod directory;
mod file;
mod helper;
mod listing;
mod node;

use alloc::{
    collections::BTreeMap,
    ffi::CString,
    sync::{Arc, Weak},
};

use sync::Mutex;
use vfs::{FileError, Identity, Node, Shares, pipe::Pipe};

use crate::host::directory::{self as host, Descriptor};

use convert::file_error;
use node::HostNode;

/// What all nodes of a share have in common.
struct Share {
    /// `/proc/self/fd`, by which a file that is open for its name only is opened in earnest.
    descriptors: Arc<Descriptor>,
    /// The bytes of named pipes that are open: the machine's own, whatever is behind the name at the host.
    pipes: Mutex<Pipes>,
}

/// Pipes that are not worth looking through.
const FEW_PIPES: usize = 16;

/// Named pipes that are open, and some that were.
#[derive(Default)]
struct Pipes {
    known: BTreeMap<Identity, Weak<Pipe>>,
    /// At so many, those that have gone are left out.
    limit: usize,
}

impl Share {
    /// The bytes of the named pipe with this identity, which stays its as long as somebody holds them.
    fn pipe(&self, identity: Identity, make: impl FnOnce() -> Arc<Pipe>) -> Arc<Pipe> {
        let mut pipes = self.pipes.lock();
        if let Some(pipe) = pipes.known.get(&identity).and_then(Weak::upgrade) {
            return pipe;
        }
        if pipes.known.len() >= pipes.limit.max(FEW_PIPES) {
            pipes.known.retain(|_, pipe| pipe.strong_count() > 0);
            pipes.limit = pipes.known.len() * 2;
        }
        let pipe = make();
        pipes.known.insert(identity, Arc::downgrade(&pipe));
        pipe
    }
}

/// The shares that the command has opened.
#[derive(Debug, Default)]
pub struct HostFiles;

impl HostFiles {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }

    /// Ends the threads that wait for the host's disk; the next reads have new ones.
    pub fn retire_helpers() {
        helper::retire();
    }
}

impl Shares for HostFiles {
    fn open(&self, tag: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        let number = core::str::from_utf8(tag).ok().and_then(|tag| tag.parse().ok()).ok_or(FileError::NotFound)?;
        let share = Share { descriptors: descriptors()?, pipes: Mutex::default() };
        let opened = Descriptor::own(number);
        let status = host::status(&opened).map_err(file_error)?;
        let root: Arc<dyn Node> = HostNode::new(&Arc::new(share), opened, &status, None);
        Ok(root)
    }
}

/// `/proc/self/fd`, opened once.
fn descriptors() -> Result<Arc<Descriptor>, FileError> {
    static OPENED: Mutex<Option<Arc<Descriptor>>> = Mutex::new(None);
    let mut opened = OPENED.lock();
    if opened.is_none() {
        *opened = Some(Arc::new(host::open_descriptors().map_err(file_error)?));
    }
    opened.clone().ok_or(FileError::Failed)
}

/// A name for the host. The tree's names have no NUL.
fn name_of(name: &[u8]) -> Result<CString, FileError> {
    if name.is_empty() || name.contains(&b'/') || matches!(name, b"." | b"..") {
        return Err(FileError::Invalid);
    }
    CString::new(name).map_err(|_| FileError::Invalid)
}

/// The name of a descriptor below `/proc/self/fd`.
fn number_of(descriptor: &Descriptor) -> CString {
    CString::new(alloc::format!("{}", descriptor.number())).unwrap_or_default()
}
