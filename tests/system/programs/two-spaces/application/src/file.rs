//! A file of one page in the kernel's memory.

use alloc::sync::Arc;
use core::ops::Range;

use kernel::memory::{FilePages, FileReference, MappedFile, NoPage, NotKept};
use pages::Page;

/// The file.
pub struct OnePage(Arc<Page>);

impl OnePage {
    /// One that begins with `bytes`.
    pub fn reference(bytes: &[u8]) -> FileReference {
        static MEMORY: FilePages = FilePages;
        let page = Page::filled(&MEMORY, |page| {
            page.fill(0);
            page[..bytes.len()].copy_from_slice(bytes);
        });
        FileReference(Arc::new(Self(page.expect("memory for a page"))))
    }
}

impl MappedFile for OnePage {
    fn path(&self) -> &str {
        "one page"
    }

    fn numbers(&self) -> (u64, u64) {
        (1, 1)
    }

    fn may_write(&self) -> bool {
        true
    }

    fn key(&self) -> usize {
        self.0.address()
    }

    fn page(&self, number: u64, _: bool) -> Result<Option<Arc<Page>>, NoPage> {
        if number == 0 { Ok(Some(Arc::clone(&self.0))) } else { Err(NoPage::Missing) }
    }

    fn bring(&self, _: u64, _: bool) -> Result<(), NoPage> {
        unreachable!("its page is here")
    }

    fn flush(&self, _: Range<u64>) -> Result<(), NotKept> {
        Ok(())
    }
}
