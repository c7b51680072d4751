//! Files as mappings show them.

use alloc::{
    boxed::Box,
    sync::{Arc, Weak},
};
use core::{any::Any, ops::Range};

use kernel::memory::{AddressSpace, FileReference, MappedFile, MemoryError, NoPage, NotKept};
use linux_abi::{Errno, FileDescriptor, constants::OpenFlags};
use machine::Source;
use pages::Page;
use vfs::{FileError, Kind, Mappings, Node, Shows};

use super::{
    memfd::{MemFd, Writable},
    usable,
};
use crate::objects::{ability, errors::errno};

/// A file that is mapped, by the name it was opened with.
pub struct Mapped {
    node: Arc<dyn Node>,
    path: Box<str>,
    may_write: bool,
    /// What it keeps from being sealed.
    _writable: Option<Writable>,
}

impl Mapped {
    /// `node` as it is mapped by whoever found it at `path`.
    #[must_use]
    pub fn reference(node: &Arc<dyn Node>, path: &str, may_write: bool) -> FileReference {
        Self::of(node, path, may_write, None)
    }

    fn of(node: &Arc<dyn Node>, path: &str, may_write: bool, writable: Option<Writable>) -> FileReference {
        FileReference(Arc::new(Self { node: Arc::clone(node), path: path.into(), may_write, _writable: writable }))
    }
}

/// What a mapping of `node` that begins at `offset` has for its pages. ENODEV for what cannot be mapped.
pub fn source(node: &dyn Node, offset: u64, shared: bool) -> Result<Source, Errno> {
    if shared {
        kernel::task::space().expect_shared_words();
    }
    if let (false, Some(place)) = (shared, node.in_place()) {
        return Ok(Source::Archive { offset: place.offset + offset as usize });
    }
    if let Some(handle) = node.direct(shared) {
        return Ok(Source::Direct { handle, offset, shared });
    }
    let pages = node.pages().ok_or(Errno::ENODEV)?;
    pages.mappings().add(&shown_here());
    Ok(Source::File { shared })
}

/// A file, and how mappings refer to it.
type Mappable = (Arc<dyn Node>, FileReference);

/// The file behind `descriptor`; none for zero(4), which is mapped as memory without a file. ENODEV for what cannot be
/// mapped, EACCES if it was not opened for reading, or not for writing and a shared mapping is to be written, EPERM if
/// that is sealed.
pub fn mappable(descriptor: FileDescriptor, shared: bool, write: bool) -> Result<Option<Mappable>, Errno> {
    let description = usable(descriptor)?;
    description.check_readable().map_err(|_| Errno::EACCES)?;
    let is_zeros =
        ability::files() && description.kind == Kind::Character && description.node.metadata().special == ZERO;
    if !ability::files() || description.kind != Kind::Regular && !is_zeros {
        return Err(Errno::ENODEV);
    }
    let may_write = description.flags().access() == OpenFlags::O_RDWR;
    if shared && write && !may_write {
        return Err(Errno::EACCES);
    }
    if is_zeros {
        return Ok(None);
    }
    let node = description.node.counted();
    let sealable: Arc<dyn Any + Send + Sync> = node.clone();
    let (writable, may_write) = match sealable.downcast::<MemFd>() {
        Ok(file) if shared && may_write => {
            let writable = file.map(write).map_err(errno)?;
            let may_write = writable.is_some();
            (writable, may_write)
        }
        _ => (None, may_write),
    };
    if !description.flags().contains(OpenFlags::O_NOATIME) {
        node.note_read();
    }
    let path = crate::objects::text::lossy(&description.path());
    Ok(Some((Arc::clone(node), Mapped::of(node, &path, may_write, writable))))
}

/// The number of zero(4).
const ZERO: (u32, u32) = (1, 5);

impl MappedFile for Mapped {
    fn path(&self) -> &str {
        &self.path
    }

    fn numbers(&self) -> (u64, u64) {
        let metadata = self.node.metadata();
        (metadata.device, metadata.inode)
    }

    fn may_write(&self) -> bool {
        self.may_write
    }

    fn key(&self) -> usize {
        self.node.pages().map_or(0, |pages| key(pages.mappings()))
    }

    fn page(&self, number: u64, write: bool) -> Result<Option<Arc<Page>>, NoPage> {
        self.node.pages().ok_or(NoPage::Missing)?.page_here(number, write).map_err(no_page)
    }

    fn run(&self, number: u64, address: usize, most: usize) -> usize {
        // The least images map nothing but programs of the archive.
        if !ability::files() {
            return 0;
        }
        self.node.pages().map_or(0, |pages| pages.run(number, address, most))
    }

    fn bring(&self, number: u64, write: bool) -> Result<(), NoPage> {
        self.node.pages().ok_or(NoPage::Missing)?.page(number, write).map(drop).map_err(no_page)
    }

    fn show_in(&self, space: &dyn Any) {
        show_node_in(&*self.node, space);
    }

    fn flush(&self, pages: Range<u64>) -> Result<(), NotKept> {
        self.node.flush(pages).and_then(|()| self.node.sync(false)).map_err(|error| match error {
            FileError::NoSpace => NotKept::NoRoom,
            FileError::NoQuota => NotKept::NoQuota,
            _ => NotKept::Failed,
        })
    }
}

fn no_page(error: FileError) -> NoPage {
    if error == FileError::NoMemory { NoPage::OutOfMemory } else { NoPage::Missing }
}

/// What tells files apart.
pub fn key(mappings: &Mappings) -> usize {
    core::ptr::from_ref(mappings).addr()
}

/// The running process' address space, as files know it.
struct Space(Arc<AddressSpace>);

impl Shows for Space {
    fn forget(&self, file: &Mappings, pages: Range<u64>) {
        self.0.forget_file(key(file), pages);
    }
}

fn shown_here() -> Weak<dyn Shows> {
    let mut shown = crate::process().shown.lock();
    let space = || Arc::new(Space(kernel::task::space_of(kernel::task::current())));
    Arc::downgrade(shown.get_or_insert_with(|| space()))
}

/// Files know the running process' address space from now on, which another process is about to run in too.
pub fn show_here() {
    shown_here();
}

/// A copy of the running process' address space, and what files know it by, for as long as it is kept.
pub fn duplicate_space() -> Result<(Arc<AddressSpace>, Arc<dyn Shows>), MemoryError> {
    kernel::task::space().duplicate(|copy| -> Arc<dyn Shows> { Arc::new(Space(Arc::clone(copy))) })
}

/// A file is shown in `space`, an `Arc<dyn Shows>`, too.
#[inline]
pub fn show_node_in(node: &dyn Node, space: &dyn Any) {
    if !ability::processes() {
        return;
    }
    if let Some((pages, space)) = node.pages().zip(space.downcast_ref::<Arc<dyn Shows>>()) {
        pages.mappings().add(&Arc::downgrade(space));
    }
}

/// Memory without a name, as a file that processes can share: what MAP_SHARED of no file maps. ENOMEM if there is none.
pub fn shared_memory(length: usize) -> Result<(FileReference, Source), Errno> {
    let node = fs::memory_file(0o600).map_err(errno)?;
    node.set_length(length as u64).map_err(|_| Errno::ENOMEM)?;
    let source = source(&*node, 0, true)?;
    Ok((Mapped::reference(&node, "/dev/zero (deleted)", true), source))
}
