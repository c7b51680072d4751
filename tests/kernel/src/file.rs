//! A file for mappings: pages of the kernel's, some of which must be waited for, are missing, or find no memory.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use kernel::memory::{FilePages, FileReference, MappedFile, NoPage, NotKept};
use pages::Page;

/// The file.
#[derive(Default)]
pub struct TestFile {
    pages: Mutex<BTreeMap<u64, Arc<Page>>>,
    /// Pages that come only when they are waited for.
    away: Mutex<BTreeMap<u64, Arc<Page>>>,
    refused: Mutex<BTreeMap<u64, NoPage>>,
    is_read_only: bool,
    /// Pages that were waited for.
    pub brought: AtomicUsize,
    /// Pages that the file was told are to be stored into.
    pub written: AtomicUsize,
}

static MEMORY: FilePages = FilePages;

fn page(first: u64) -> Arc<Page> {
    let fill = |bytes: &mut pages::Bytes| {
        bytes.fill(0);
        bytes[..8].copy_from_slice(&first.to_le_bytes());
    };
    Page::filled(&MEMORY, fill).expect("a page")
}

impl TestFile {
    /// A file whose pages begin with these words.
    pub fn new(words: &[u64]) -> Self {
        let pages = (0..).zip(words.iter().map(|&word| page(word))).collect();
        Self { pages: Mutex::new(pages), ..Self::default() }
    }

    /// The same, not opened for writing.
    pub fn read_only(self) -> Self {
        Self { is_read_only: true, ..self }
    }

    /// The same, with a page of this number that must be waited for.
    pub fn with_away(self, number: u64, word: u64) -> Self {
        self.away.lock().expect("nobody panics").insert(number, page(word));
        self
    }

    /// The same, which has no page of this number, for this reason.
    pub fn refusing(self, number: u64, why: NoPage) -> Self {
        self.refused.lock().expect("nobody panics").insert(number, why);
        self
    }

    /// The file, and what mappings know it by.
    pub fn referenced(self) -> (Arc<Self>, FileReference) {
        let file = Arc::new(self);
        (Arc::clone(&file), FileReference(file))
    }

    /// The first word of a page.
    pub fn word(&self, number: u64) -> u64 {
        let pages = self.pages.lock().expect("nobody panics");
        pages[&number].with(|bytes| u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")))
    }
}

impl MappedFile for TestFile {
    fn path(&self) -> &str {
        "/test"
    }

    fn numbers(&self) -> (u64, u64) {
        (1, 1)
    }

    fn may_write(&self) -> bool {
        !self.is_read_only
    }

    fn key(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    fn page(&self, number: u64, write: bool) -> Result<Option<Arc<Page>>, NoPage> {
        if let Some(&why) = self.refused.lock().expect("nobody panics").get(&number) {
            return Err(why);
        }
        let found = self.pages.lock().expect("nobody panics").get(&number).cloned();
        if found.is_none() && !self.away.lock().expect("nobody panics").contains_key(&number) {
            return Err(NoPage::Missing);
        }
        self.written.fetch_add(usize::from(write), SeqCst);
        Ok(found)
    }

    fn bring(&self, number: u64, _: bool) -> Result<(), NoPage> {
        let came = self.away.lock().expect("nobody panics").remove(&number).ok_or(NoPage::Missing)?;
        self.brought.fetch_add(1, SeqCst);
        self.pages.lock().expect("nobody panics").insert(number, came);
        Ok(())
    }

    fn flush(&self, _: Range<u64>) -> Result<(), NotKept> {
        Ok(())
    }
}
