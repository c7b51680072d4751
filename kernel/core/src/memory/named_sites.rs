//! Sites of system calls that people or other runs have named: what the patcher is told when one traps for the first
//! time.
//!
//! Nothing depends on what is said here but when a site is looked at, and whether: what becomes of it is decided by its
//! bytes, and proven by the program itself.

use alloc::{borrow::ToOwned, collections::BTreeMap, string::String, vec::Vec};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use regions::Region;
use rewrite::{Named, Told};
use sync::Mutex;

#[derive(Debug)]
struct Sites {
    /// Those that are to be left alone, and whether one has trapped.
    excepted: Vec<(Named, bool)>,
    /// Those that another run has proven, by the path of their file: offsets in it, ascending.
    proven: BTreeMap<String, Vec<u64>>,
}

static SITES: Mutex<Sites> = Mutex::new(Sites { excepted: Vec::new(), proven: BTreeMap::new() });

/// Whether there is any.
static ANY: AtomicBool = AtomicBool::new(false);

/// Says that these sites are to trap for good.
pub fn except_sites(sites: Vec<Named>) {
    if !sites.is_empty() {
        SITES.lock().excepted = sites.into_iter().map(|site| (site, false)).collect();
        ANY.store(true, Relaxed);
    }
}

/// Those that nobody has come to.
#[must_use]
pub fn unmet_exceptions() -> Vec<Named> {
    let sites = SITES.lock();
    sites.excepted.iter().filter(|(_, met)| !met).map(|(site, _)| site.clone()).collect()
}

/// Says that another run has proven these sites, ascending, of the file that is mapped by this path.
pub fn expect_sites(path: &str, offsets: Vec<u64>) {
    SITES.lock().proven.insert(path.to_owned(), offsets);
    ANY.store(true, Relaxed);
}

/// What was said of the site at this address, which is in `region`.
pub(super) fn told(region: &Region, at: usize) -> Told {
    let Some(file) = region.file.as_ref().filter(|_| ANY.load(Relaxed)) else { return Told::Nothing };
    let (path, offset) = (file.path(), region.offset + (at - region.start) as u64);
    let mut sites = SITES.lock();
    let mut excepted = false;
    for (_, met) in sites.excepted.iter_mut().filter(|(site, _)| site.is(path, offset)) {
        (*met, excepted) = (true, true);
    }
    if excepted {
        return Told::Excepted;
    }
    match sites.proven.get(path).map(|offsets| offsets.binary_search(&offset)) {
        Some(Ok(_)) => Told::Proven,
        _ => Told::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use alloc::{sync::Arc, vec};
    use core::ops::Range;

    use machine::{Larger, Protection, Source};
    use regions::{FileReference, MappedFile, NoPage, NotKept, RegionKind};

    use super::*;

    struct Library;

    impl MappedFile for Library {
        fn path(&self) -> &str {
            "/lib/a.so"
        }

        fn numbers(&self) -> (u64, u64) {
            (0, 0)
        }

        fn may_write(&self) -> bool {
            false
        }

        fn key(&self) -> usize {
            0
        }

        fn page(&self, _: u64, _: bool) -> Result<Option<Arc<pages::Page>>, NoPage> {
            Err(NoPage::Missing)
        }

        fn bring(&self, _: u64, _: bool) -> Result<(), NoPage> {
            Err(NoPage::Missing)
        }

        fn flush(&self, _: Range<u64>) -> Result<(), NotKept> {
            Ok(())
        }
    }

    /// Its second page, at an address of its own.
    fn mapped(file: Option<FileReference>) -> Region {
        Region {
            start: 0x7000_0000,
            end: 0x7000_4000,
            protection: Protection { read: true, write: false, execute: true },
            source: Source::Zero,
            kind: RegionKind::File,
            file,
            offset: 0x1000,
            grows_down: false,
            larger: Larger::No,
            locked: false,
            sealed: false,
        }
    }

    #[test]
    fn sites_are_known_by_the_offset_in_their_file() {
        let region = mapped(Some(FileReference(Arc::new(Library))));
        assert_eq!(told(&region, 0x7000_0010), Told::Nothing);
        except_sites(vec!["a.so+0x1010".parse().unwrap(), "/lib/b.so+0x1020".parse().unwrap()]);
        expect_sites("/lib/a.so", vec![0x10, 0x1010, 0x1020]);
        expect_sites("/lib/b.so", vec![0x1030]);
        let found = [0x10, 0x20, 0x30].map(|at| told(&region, region.start + at));
        assert_eq!(found, [Told::Excepted, Told::Proven, Told::Nothing]);
        assert_eq!(told(&mapped(None), 0x7000_0010), Told::Nothing);
        assert_eq!(unmet_exceptions(), ["/lib/b.so+0x1020".parse().unwrap()]);
    }
}
