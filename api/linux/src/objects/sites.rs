//! Sites of system calls by the build of their file: what other runs have proven (`--sites`), and what this one has
//! (`--record-sites`).
//!
//! A file is looked at when it is mapped as code, if anybody wants to know. Entries of another build are none of its,
//! and those at which there is no `syscall` are refused one by one: both is said.

use alloc::{
    borrow::ToOwned,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};
use core::{
    fmt::Arguments,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use kernel::memory::{MapRequest, SitesOfObject, digits, expect_sites};
use machine::Record;
use sync::{Mutex, Once};
use vfs::Node;

use crate::objects::files;

/// The instruction `syscall`.
const SYSTEM_CALL: [u8; 2] = [0x0f, 0x05];

/// Sites in one record to the command, which has to fit.
const TOGETHER: usize = 1000;

/// Whether files are looked at that are mapped as code.
static LOOKS: AtomicBool = AtomicBool::new(false);

/// What other runs have proven, if there is something.
static GIVEN: Once<Vec<SitesOfObject>> = Once::new();

/// What was found, by the file's path.
static FOUND: Mutex<BTreeMap<String, Found>> = Mutex::new(BTreeMap::new());

/// A file that was mapped as code.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    build_id: Option<String>,
    sites: Given,
}

/// What other runs know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Given {
    /// Nobody was asked.
    Unasked,
    /// Nothing.
    Nothing,
    /// Sites of a file of the same name, which has this build id.
    Other(String),
    /// So many sites, and some that are none: their offsets.
    Sites(usize, Vec<u64>),
}

/// Looks from now on at files that are mapped as code: for their build ids, and for what is given of those.
pub fn look_for(given: Vec<SitesOfObject>) {
    if !given.is_empty() {
        GIVEN.call_once(|| given);
    }
    LOOKS.store(true, Relaxed);
}

/// A file is about to be mapped.
#[inline(always)]
pub fn mapped(node: &dyn Node, request: &MapRequest) {
    if contracts::config().rewrite && request.protection.execute && LOOKS.load(Relaxed) {
        look(node, request);
    }
}

#[cold]
#[inline(never)]
fn look(node: &dyn Node, request: &MapRequest) {
    let Some(path) = request.file.as_ref().map(|file| file.path()) else { return };
    let mut read = |offset: u64, bytes: &mut [u8]| files::read_exact(node, offset, bytes);
    let build_id = elf::build_id(&mut read).map(|id| digits(&id));
    if FOUND.lock().get(path).is_some_and(|found| found.build_id == build_id) {
        return;
    }
    let sites = GIVEN.get().map_or(Given::Unasked, |given| {
        let (sites, taken) = among(given, path, build_id.as_deref(), &mut read);
        expect_sites(path, taken);
        sites
    });
    let found = Found { build_id, sites };
    found.tell(path, &mut |line| kernel::debug!("{line}"));
    FOUND.lock().insert(path.to_owned(), found);
}

/// What is given for the file at `path`, and which sites are taken.
fn among(
    given: &[SitesOfObject],
    path: &str,
    build_id: Option<&str>,
    read: &mut dyn FnMut(u64, &mut [u8]) -> bool,
) -> (Given, Vec<u64>) {
    let Some(object) = given.iter().find(|object| Some(object.build_id()) == build_id) else {
        let name = path.rsplit('/').next().unwrap_or_default();
        let other = given.iter().find(|object| object.name() == name);
        return (other.map_or(Given::Nothing, |other| Given::Other(other.build_id().to_owned())), Vec::new());
    };
    let mut bytes = [0; SYSTEM_CALL.len()];
    let is_site = |offset: &u64| read(*offset, &mut bytes) && bytes == SYSTEM_CALL;
    let (taken, refused): (Vec<u64>, Vec<u64>) = object.offsets().iter().copied().partition(is_site);
    (Given::Sites(taken.len(), refused), taken)
}

impl Found {
    /// Says what other runs know of it.
    fn tell(&self, path: &str, say: &mut dyn FnMut(Arguments<'_>)) {
        let build_id = self.build_id.as_deref().unwrap_or("none");
        match &self.sites {
            Given::Unasked => {}
            Given::Nothing => say(format_args!("--sites: nothing about {path}, whose build id is {build_id}")),
            Given::Other(other) => {
                say(format_args!("--sites: nothing is taken for {path}: its build id is {build_id}, and not {other}"));
            }
            Given::Sites(count, refused) => {
                say(format_args!("--sites: {count} taken for {path}"));
                for offset in refused {
                    say(format_args!("--sites: refused {path}+{offset:#x}: there is no syscall"));
                }
            }
        }
    }
}

/// Says what other runs know of each of these files, and of others for which there is something.
pub fn report(is_wanted: &dyn Fn(&str) -> bool, say: &mut dyn FnMut(Arguments<'_>)) {
    let found = FOUND.lock();
    let told = found.iter().filter(|(path, found)| found.sites != Given::Nothing || is_wanted(path));
    told.for_each(|(path, found)| found.tell(path, say));
}

/// Tells the command what this run has proven: a record for each file, and an empty one when that is all.
pub fn keep() {
    for (path, offsets) in proven() {
        let build_id = FOUND.lock().get(&path).and_then(|found| found.build_id.clone()).unwrap_or_default();
        for together in offsets.chunks(TOGETHER) {
            match SitesOfObject::new(&build_id, &path, together.to_vec()) {
                Ok(object) => contracts::console::record(Record::Sites, object.to_string().as_bytes()),
                Err(_) => kernel::notice!("{path} has no build id, so its {} sites are not recorded", together.len()),
            }
        }
    }
    contracts::console::record(Record::Sites, b"");
}

/// Sites that were proven in the running program, by the path of their file.
fn proven() -> BTreeMap<String, Vec<u64>> {
    let space = crate::space();
    let mut proven: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for site in space.system_calls().0.iter().filter(|site| site.kind.is_some()) {
        if let Some((path, offset)) = space.place_in_file(site.at as usize) {
            proven.entry(path).or_default().push(offset);
        }
    }
    proven
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn given() -> Vec<SitesOfObject> {
        ["ab 0x2,0x5,0x6,0xfff /lib/a", "cd 0x2 /lib/b"].map(|line| line.parse().unwrap()).into()
    }

    fn among(path: &str, build_id: Option<&str>) -> (Given, Vec<u64>) {
        // syscall; nop; syscall; syscall, from 2 on
        let file = [0x90, 0x90, 0x0f, 0x05, 0x90, 0x0f, 0x05, 0x0f];
        super::among(&given(), path, build_id, &mut |offset, bytes| {
            let part = file.get(offset as usize..).and_then(|rest| rest.get(..bytes.len()));
            part.map(|part| bytes.copy_from_slice(part)).is_some()
        })
    }

    #[test]
    fn sites_are_taken_by_build_id_if_a_syscall_is_there() {
        // Wherever it is mapped from.
        for path in ["/lib/a", "/lib/b", "/elsewhere"] {
            assert_eq!(among(path, Some("ab")), (Given::Sites(2, vec![6, 0xfff]), vec![2, 5]));
        }
        assert_eq!(among("/lib/b", Some("cd")), (Given::Sites(1, vec![]), vec![2]));
    }

    #[test]
    fn another_build_is_refused_by_name() {
        assert_eq!(among("/usr/lib/a", Some("ac")), (Given::Other("ab".to_owned()), vec![]));
        assert_eq!(among("/usr/lib/b", None), (Given::Other("cd".to_owned()), vec![]));
        assert_eq!(among("/usr/lib/c", Some("ac")), (Given::Nothing, vec![]));
        assert_eq!(among("/usr/lib/c", None), (Given::Nothing, vec![]));
    }

    #[test]
    fn each_refusal_is_said() {
        let told = |sites, build_id: Option<&str>| {
            let mut lines = Vec::new();
            let found = Found { build_id: build_id.map(str::to_owned), sites };
            found.tell("/a", &mut |line| lines.push(line.to_string()));
            lines
        };
        assert!(told(Given::Unasked, Some("ab")).is_empty());
        assert_eq!(told(Given::Nothing, None), ["--sites: nothing about /a, whose build id is none"]);
        let other = "--sites: nothing is taken for /a: its build id is ab, and not cd";
        assert_eq!(told(Given::Other("cd".to_owned()), Some("ab")), [other]);
        let lines = told(Given::Sites(3, vec![0x1f]), Some("ab"));
        assert_eq!(lines, ["--sites: 3 taken for /a", "--sites: refused /a+0x1f: there is no syscall"]);
    }
}
