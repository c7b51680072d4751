//! Watchers over small trees of files. None is timed: whoever waits, waits for an end that must come.

use std::fs::{self, File, FileTimes};
use std::io::{Seek, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};
use std::{io, iter};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{AddressFamily, SendFlags, SocketFlags, SocketType, accept, bind, listen, send, socket_with};
use tempfile::TempDir;

use super::*;
use crate::fresh::stamp;

/// How things are built here.
const WORDS: &str = "words";

/// A checkout `a/checkout` with two packages, one of them behind a symbolic link, and a stamp over them. One source has
/// another name outside.
struct Tree {
    folder: TempDir,
}

impl Tree {
    fn new() -> Self {
        let tree = Self { folder: tempfile::tempdir().unwrap() };
        for package in ["part", "real"] {
            fs::create_dir_all(tree.path(package).join("src")).unwrap();
            fs::write(tree.path(package).join("Cargo.toml"), "").unwrap();
            fs::write(tree.path(package).join("src/a.rs"), "one").unwrap();
            fs::write(tree.path(package).join("src/unnamed.rs"), "one").unwrap();
        }
        fs::write(tree.path("Cargo.toml"), "").unwrap();
        fs::create_dir(tree.path("built")).unwrap();
        fs::hard_link(tree.path("part/src/a.rs"), tree.folder.path().join("other.rs")).unwrap();
        symlink("real", tree.path("link")).unwrap();
        let rule = format!("x: {} {}\n", tree.path("part/src/a.rs").display(), tree.path("link/src/a.rs").display());
        fs::write(tree.path("built/dep-info"), rule).unwrap();
        tree.write_stamp();
        tree
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("a/checkout")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn built(&self) -> Built {
        Built { stamp: self.path("built/stamp"), words: WORDS.into() }
    }

    fn write_stamp(&self) {
        let (root, dep_info) = (self.root(), self.path("built/dep-info"));
        let built =
            stamp::Built { root: &root, words: WORDS, dep_info: &dep_info, more: Vec::new(), folder: Path::new("") };
        stamp::write(&self.built().stamp, &built, SystemTime::now() + Duration::from_secs(1)).unwrap();
        assert!(self.is_fresh());
    }

    fn is_fresh(&self) -> bool {
        stamp::is_fresh(&self.built().stamp, &self.root(), WORDS)
    }

    fn address(&self) -> Address {
        let root = self.root();
        let house = House { images: root.clone(), target: root.clone(), root, is_installed: false };
        Address::of(&house, &self.built().stamp).unwrap()
    }

    /// A watcher in a thread of its own; `None` if it does not begin.
    fn watcher(&self, patience: Duration) -> Option<JoinHandle<io::Result<()>>> {
        let watcher = Watcher::begin(self.address(), &self.root(), &[self.built()]).ok()?;
        Some(thread::spawn(move || watcher.serve(patience)))
    }

    /// Whether a watcher says that everything is as it was; asked again where it was too slow for a start.
    fn is_watched(&self) -> bool {
        let mut answers = iter::repeat_with(|| Answer::ask(self.address())).take(10_000);
        let answer = answers.find(|answer| answer.is_nobodys() || answer.watcher_of(&self.built()).is_some());
        !answer.expect("a watcher answers, or there is none").is_nobodys()
    }
}

fn rewrite(path: &Path) {
    let mut file = File::options().write(true).open(path).unwrap();
    file.seek(io::SeekFrom::Start(1)).unwrap();
    file.write_all(b"!").unwrap();
    // Still open: closing it is not what is noticed.
    std::mem::forget(file);
}

/// What happens to a tree.
type Event = (&'static str, fn(&Tree));

/// Each of these changes what a look sees, and is told of.
const CHANGES: [Event; 18] = [
    ("a write in place", |tree| rewrite(&tree.path("part/src/a.rs"))),
    ("a write by another name", |tree| rewrite(&tree.folder.path().join("other.rs"))),
    ("a write behind a link", |tree| rewrite(&tree.path("real/src/a.rs"))),
    ("a file cut off", |tree| drop(File::create(tree.path("part/src/a.rs")).unwrap())),
    ("a time", |tree| {
        let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
        File::open(tree.path("part/src/a.rs")).unwrap().set_times(times).unwrap();
    }),
    ("a file in another's place", |tree| {
        fs::write(tree.path("part/src/new"), "two words").unwrap();
        fs::rename(tree.path("part/src/new"), tree.path("part/src/a.rs")).unwrap();
    }),
    ("a file gone", |tree| fs::remove_file(tree.path("part/src/a.rs")).unwrap()),
    ("a file moved", |tree| fs::rename(tree.path("part/src/a.rs"), tree.path("part/src/b.rs")).unwrap()),
    ("a new build script", |tree| fs::write(tree.path("part/build.rs"), "").unwrap()),
    ("a new manifest", |tree| fs::write(tree.path("rust-toolchain.toml"), "").unwrap()),
    ("a new setting of cargo's", |tree| {
        fs::create_dir(tree.path(".cargo")).unwrap();
        fs::write(tree.path(".cargo/config.toml"), "").unwrap();
    }),
    ("a folder moved", |tree| fs::rename(tree.path("part/src"), tree.path("part/source")).unwrap()),
    ("a folder in another's place", |tree| {
        fs::create_dir(tree.path("other")).unwrap();
        fs::rename(tree.path("part"), tree.path("old")).unwrap();
        fs::rename(tree.path("other"), tree.path("part")).unwrap();
    }),
    ("an ancestor moved", |tree| {
        fs::rename(tree.folder.path().join("a"), tree.folder.path().join("b")).unwrap();
    }),
    ("a link that points elsewhere", |tree| {
        fs::remove_file(tree.path("link")).unwrap();
        symlink("nowhere", tree.path("link")).unwrap();
    }),
    ("the stamp gone", |tree| fs::remove_file(tree.built().stamp).unwrap()),
    ("another stamp", |tree| fs::write(tree.built().stamp, "0").unwrap()),
    ("the checkout gone", |tree| fs::remove_dir_all(tree.root()).unwrap()),
];

/// What nobody builds from.
const TRIFLES: [Event; 4] = [
    ("an editor's own file", |tree| fs::write(tree.path("part/src/.a.rs.swp"), "").unwrap()),
    ("a file that no module names", |tree| rewrite(&tree.path("part/src/unnamed.rs"))),
    ("a file of nobody's", |tree| fs::write(tree.path("notes"), "").unwrap()),
    ("a reader", |tree| drop(fs::read(tree.path("part/src/a.rs")).unwrap())),
];

#[test]
fn every_change_ends_the_watcher_and_is_seen_by_a_look() {
    for (what, change) in CHANGES {
        let tree = Tree::new();
        let (watcher, address) = (tree.watcher(PATIENCE).unwrap(), tree.address());
        assert!(tree.is_watched(), "before {what}");
        change(&tree);
        // At once: nobody waits until the watcher has heard of it.
        assert_eq!(Answer::ask(address).watcher_of(&tree.built()), None, "after {what}");
        // It ends by itself, whether or not it was asked. How is its own affair.
        let _ = watcher.join().unwrap();
        assert!(Answer::ask(address).is_nobodys(), "after {what}");
        assert!(!tree.is_fresh(), "{what} changes nothing");
    }
}

#[test]
fn what_does_not_count_ends_no_watcher() {
    let tree = Tree::new();
    let watcher = tree.watcher(PATIENCE).unwrap();
    for (what, happen) in TRIFLES {
        happen(&tree);
        assert!(tree.is_fresh() && tree.is_watched(), "{what}");
    }
    fs::remove_dir_all(tree.root()).unwrap();
    let _ = watcher.join().unwrap();
}

#[test]
fn there_is_one_watcher_and_it_ends_when_nobody_asks() {
    let tree = Tree::new();
    assert!(!tree.is_watched());
    let watcher = tree.watcher(PATIENCE).unwrap();
    assert!(tree.watcher(PATIENCE).is_none() && tree.is_watched());
    fs::remove_dir_all(tree.root()).unwrap();
    let _ = watcher.join().unwrap();
    let tree = Tree::new();
    tree.watcher(Duration::from_millis(1)).unwrap().join().unwrap().unwrap();
    assert!(!tree.is_watched());
}

#[test]
fn who_cannot_know_does_not_begin() {
    let tree = Tree::new();
    let mut changes = Changes::new().unwrap();
    changes.tell_of(&tree.path("part/src/a.rs")).unwrap();
    // Nobody is told of changes of the one, nor of what comes through the other.
    for path in ["/proc/version", "/dev/null"] {
        changes.tell_of(Path::new(path)).unwrap_err();
    }
    rewrite(&tree.path("part/src/a.rs"));
    assert!(tree.watcher(PATIENCE).is_none(), "it is not current");
    tree.write_stamp();
    fs::remove_file(tree.path("link")).unwrap();
    symlink("link", tree.path("link")).unwrap();
    assert!(tree.watcher(PATIENCE).is_none(), "a link to itself");
}

#[test]
fn a_strange_answer_is_none() {
    let tree = Tree::new();
    let listener = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).unwrap();
    bind(&listener, &tree.address().socket().unwrap()).unwrap();
    listen(&listener, 4).unwrap();
    // Silence: the start goes on by itself.
    let answer = Answer::ask(tree.address());
    assert!(answer.watcher_of(&tree.built()).is_none() && !answer.is_nobodys());
    drop(accept(&listener).unwrap());
    let number = tree.built().number().to_le_bytes();
    let shifted = [&[0], &number[..]].concat();
    let others = [&number[..], &[1; 8]].concat();
    for (said, is_ours) in
        [(&b""[..], false), (b"yes", false), (&[0xff; 300], false), (&shifted, false), (&others, true)]
    {
        let asker = thread::spawn({
            let address = tree.address();
            // Asked again where this test was too slow to answer.
            move || iter::repeat_with(|| Answer::ask(address)).take(1000).find(Answer::is_heard)
        });
        while !asker.is_finished() {
            let mut waiting = [PollFd::new(&listener, PollFlags::IN)];
            if poll(&mut waiting, Some(&Timespec { tv_sec: 0, tv_nsec: 1_000_000 })).unwrap() > 0 {
                let _ = send(accept(&listener).unwrap(), said, SendFlags::NOSIGNAL);
            }
        }
        let answer = asker.join().unwrap().expect("one of a thousand answers comes in time");
        assert_eq!(answer.watcher_of(&tree.built()).is_some(), is_ours, "{said:?}");
    }
}
