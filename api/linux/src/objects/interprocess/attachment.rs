//! Shared memory as a mapping shows it: it is held until the last piece of the mapping is gone.

use alloc::{string::String, sync::Arc};
use core::{
    any::Any,
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
};

use kernel::memory::{FileReference, MappedFile, NoPage, NotKept};
use pages::Page;
use vfs::Node;

use super::{SEGMENTS, now};
use crate::objects::files;

/// A segment that a process holds.
pub struct Attachment {
    segment: i32,
    process: u32,
    size: u64,
    may_write: bool,
    /// What `/proc/self/maps` calls it.
    name: String,
    contents: Arc<dyn Node>,
    /// Whether it has been mapped.
    is_attached: AtomicBool,
}

impl Attachment {
    /// The segment of that number and key, which the caller holds.
    #[must_use]
    pub fn new(segment: i32, key: i32, size: u64, may_write: bool, contents: Arc<dyn Node>) -> Arc<Self> {
        let mut name = alloc::vec::Vec::new();
        crate::objects::text::fill(&mut name, "/SYSV$ (deleted)", &[u64::from(key as u32)]);
        let (process, name) = (crate::process().id, crate::objects::text::lossy(&name));
        Arc::new(Self { segment, process, size, may_write, name, contents, is_attached: AtomicBool::new(false) })
    }

    /// It has been mapped.
    pub fn attached(&self) {
        self.is_attached.store(true, Ordering::Relaxed);
        SEGMENTS.lock().attach(self.segment, self.process, now());
    }

    /// As a mapping has it.
    #[must_use]
    pub fn reference(self: &Arc<Self>) -> FileReference {
        FileReference(Arc::clone(self) as Arc<dyn MappedFile>)
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        let mut segments = SEGMENTS.lock();
        if self.is_attached.load(Ordering::Relaxed) {
            segments.detach(self.segment, self.process, now());
        }
        let gone = segments.release(self.segment);
        drop(segments);
        drop(gone);
    }
}

impl MappedFile for Attachment {
    fn path(&self) -> &str {
        &self.name
    }

    fn numbers(&self) -> (u64, u64) {
        (self.contents.metadata().device, self.segment as u64)
    }

    fn may_write(&self) -> bool {
        self.may_write
    }

    fn key(&self) -> usize {
        self.contents.pages().map_or(0, |pages| files::key(pages.mappings()))
    }

    fn page(&self, number: u64, write: bool) -> Result<Option<Arc<Page>>, NoPage> {
        // There is no file to end before its mapping: what is not there is for want of memory.
        let pages = self.contents.pages().ok_or(NoPage::Missing)?;
        pages.page_here(number, write).map_err(|_| NoPage::OutOfMemory)
    }

    fn bring(&self, _number: u64, _write: bool) -> Result<(), NoPage> {
        Ok(())
    }

    fn attached(&self) -> Option<u64> {
        Some(self.size)
    }

    fn copied(&self) -> Option<FileReference> {
        SEGMENTS.lock().hold(self.segment).ok()?;
        let copy = Arc::new(Self {
            segment: self.segment,
            process: crate::process().id,
            size: self.size,
            may_write: self.may_write,
            name: self.name.clone(),
            contents: Arc::clone(&self.contents),
            is_attached: AtomicBool::new(false),
        });
        copy.attached();
        Some(copy.reference())
    }

    fn show_in(&self, space: &dyn Any) {
        files::show_node_in(&*self.contents, space);
    }

    fn flush(&self, _pages: Range<u64>) -> Result<(), NotKept> {
        Ok(())
    }
}
