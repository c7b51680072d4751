//! A file of a share, known by its name.

use alloc::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{Arc, Weak},
    vec::Vec,
};

use sync::Mutex;
use vfs::{
    Change, Creation, Cursor, FileError, FileSystem, Identity, Kind, Listed, Metadata, Node, Place, Removal,
    RenameMode, pipe::Pipe,
};

use super::{
    Share,
    convert::{self, file_error, seconds},
    directory,
    file::HostFile,
    listing, number_of,
};
use crate::host::directory::{self as host, Access, Descriptor, Status, UTIME_OMIT};

/// A file, directory or link.
pub struct HostNode {
    pub(super) share: Arc<Share>,
    /// Open for its name only.
    pub(super) descriptor: Arc<Descriptor>,
    kind: Kind,
    /// What tells it from others: the numbers of its file system and of itself.
    pub(super) identity: (u64, u64),
    /// Where it stood when somebody last came by, but for the root.
    pub(super) place: Mutex<Option<Place>>,
    /// The entries that somebody holds, so that a directory found twice is one node.
    pub(super) known: Mutex<BTreeMap<Vec<u8>, Weak<HostNode>>>,
    myself: Weak<Self>,
}

/// What tells files apart.
pub const fn identity(status: &Status) -> (u64, u64) {
    (convert::device(status), status.inode)
}

impl HostNode {
    /// The node of an open file.
    pub(super) fn new(share: &Arc<Share>, opened: Descriptor, status: &Status, place: Option<Place>) -> Arc<Self> {
        Arc::new_cyclic(|myself| Self {
            share: share.clone(),
            descriptor: Arc::new(opened),
            kind: convert::kind(status.mode),
            identity: identity(status),
            place: Mutex::new(place),
            known: Mutex::new(BTreeMap::new()),
            myself: myself.clone(),
        })
    }

    /// Itself, counted.
    pub(super) fn counted(&self) -> Result<Arc<Self>, FileError> {
        self.myself.upgrade().ok_or(FileError::NotFound)
    }

    /// Opens it in earnest.
    pub(super) fn reopen(&self, access: Access) -> Result<Descriptor, FileError> {
        host::reopen(&self.share.descriptors, &number_of(&self.descriptor), access).map_err(file_error)
    }
}

impl HostNode {
    fn open_pipe(&self, read: bool, write: bool) -> Arc<dyn Node> {
        let pipe = self.share.pipe(self.identity, || {
            let Metadata { inode, owner, modified, .. } = Node::metadata(self);
            Pipe::new(inode, owner, modified)
        });
        Arc::new(pipe.open(read, write))
    }
}

impl Drop for HostNode {
    fn drop(&mut self) {
        vfs::upwards::let_go(self.place.lock().take(), |above: &mut Self| above.place.lock().take());
    }
}

/// Changes what is known about an open file.
pub fn change(share: &Share, descriptor: &Descriptor, change: &Change) -> Result<(), FileError> {
    let name = number_of(descriptor);
    if change.user.is_some() || change.group.is_some() {
        let (user, group) = (change.user.unwrap_or(u32::MAX), change.group.unwrap_or(u32::MAX));
        host::set_owner(descriptor, user, group).map_err(file_error)?;
    }
    if let Some(mode) = change.mode {
        host::set_mode(&share.descriptors, &name, mode).map_err(file_error)?;
    }
    if change.accessed.is_some() || change.modified.is_some() {
        let times = [change.accessed, change.modified].map(|time| time.map_or([0, UTIME_OMIT], seconds));
        host::set_times(&share.descriptors, &name, &times).map_err(file_error)?;
    }
    Ok(())
}

/// What is known about an open file. A host that no longer tells is one whose file is gone.
pub fn metadata(descriptor: &Descriptor, kind: Kind) -> Metadata {
    host::status(descriptor).map_or_else(|_| Metadata::new(kind, 0), |status| convert::metadata(&status))
}

/// What statfs(2) tells.
pub fn file_system(descriptor: &Descriptor) -> FileSystem {
    // What others change there is not told (inotify(7)): programs that go by this number ask again and again
    // (V9FS_MAGIC).
    const SHARED: u64 = 0x0102_1997;
    let known = host::file_system(descriptor).unwrap_or_default();
    let [_, block_size, blocks, free, _available, files, free_files, ..] = known;
    FileSystem { magic: SHARED, block_size, blocks, free, files, free_files }
}

/// Longest target of a symbolic link (PATH_MAX).
const LONGEST_LINK: usize = 4096;

impl Node for HostNode {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn metadata(&self) -> Metadata {
        metadata(&self.descriptor, self.kind)
    }

    fn identity(&self) -> Identity {
        self.identity
    }

    fn change(&self, wanted: &Change) -> Result<(), FileError> {
        change(&self.share, &self.descriptor, wanted)
    }

    fn file_system(&self) -> FileSystem {
        file_system(&self.descriptor)
    }

    fn system(&self) -> usize {
        Arc::as_ptr(&self.share).addr()
    }

    fn open(&self, read: bool, write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        let access = match (self.kind, read, write) {
            (Kind::Directory | Kind::Link, ..) => return Ok(None),
            (Kind::Regular, _, false) => Access::Read,
            // A shared mapping of what is only written must be readable, so it is asked for first.
            (Kind::Regular, ..) => Access::Both,
            (Kind::Pipe, ..) => return Ok(Some(self.open_pipe(read, write))),
            _ => return Err(FileError::NoDevice),
        };
        let opened = match self.reopen(access) {
            Err(FileError::Denied) if write && !read => self.reopen(Access::Write)?,
            opened => opened?,
        };
        Ok(Some(Arc::new(HostFile::new(&self.share, opened))))
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        if self.kind != Kind::Regular {
            return Err(FileError::Invalid);
        }
        host::set_length(&self.reopen(Access::Write)?, length).map_err(file_error)
    }

    fn sync(&self, metadata: bool) -> Result<(), FileError> {
        host::synchronize(&self.reopen(Access::Read)?, metadata).map_err(file_error)
    }

    fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        let mut target = alloc::vec![0; LONGEST_LINK];
        let length = host::read_link(&self.descriptor, &mut target).map_err(file_error)?;
        target.truncate(length);
        Ok(Cow::Owned(target))
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        let node: Arc<dyn Node> = directory::find(self, name)?;
        Ok(node)
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        listing::list(self, cursor, visit)
    }

    fn place(&self) -> Option<Place> {
        self.place.lock().clone()
    }

    fn create(&self, name: &[u8], creation: &Creation<'_>) -> Result<Arc<dyn Node>, FileError> {
        directory::create(self, name, creation)
    }

    fn link(&self, name: &[u8], node: &Arc<dyn Node>) -> Result<(), FileError> {
        directory::link(self, name, node)
    }

    fn remove(&self, name: &[u8], removal: Removal) -> Result<(), FileError> {
        directory::remove(self, name, removal)
    }

    fn rename(
        &self,
        name: &[u8],
        directory: &Arc<dyn Node>,
        new_name: &[u8],
        mode: RenameMode,
    ) -> Result<(), FileError> {
        directory::rename(self, name, directory, new_name, mode)
    }
}
