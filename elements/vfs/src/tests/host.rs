//! The same random changes made here and on the host's file system must answer the same and leave the same tree.

use std::format;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::string::String;

use super::*;

/// The host's answer in our terms; the numbers are Linux's.
fn error(error: &io::Error) -> FileError {
    match error.raw_os_error() {
        Some(1) => FileError::NotPermitted,
        Some(2) => FileError::NotFound,
        Some(16) => FileError::Busy,
        Some(17) => FileError::Exists,
        Some(20) => FileError::NotDirectory,
        Some(21) => FileError::IsDirectory,
        Some(22) => FileError::Invalid,
        Some(39) => FileError::NotEmpty,
        Some(40) => FileError::TooManyLinks,
        other => panic!("the host answered {other:?}"),
    }
}

/// Every path in the tree with what stands there.
fn tree_here(node: &Arc<dyn Node>, path: &str, out: &mut Vec<String>) {
    let metadata = node.metadata();
    match metadata.kind {
        Kind::Directory => {
            out.push(format!("{path} directory {}", metadata.links));
            for name in names(node) {
                let name = String::from_utf8(name).unwrap();
                tree_here(&node.lookup(name.as_bytes()).unwrap(), &format!("{path}/{name}"), out);
            }
        }
        Kind::Link => {
            out.push(format!("{path} -> {}", std::str::from_utf8(&node.read_link().unwrap()).unwrap()));
        }
        _ => out.push(format!("{path} {:?} {}", read(node, 0, 9999), metadata.links)),
    }
}

fn tree_there(place: &Path, path: &str, out: &mut Vec<String>) {
    let metadata = fs::symlink_metadata(place).unwrap();
    if metadata.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        entries.sort();
        let folders = entries.iter().filter(|name| place.join(name).symlink_metadata().unwrap().is_dir()).count();
        // Not every host file system counts links of directories.
        out.push(format!("{path} directory {}", 2 + folders));
        for name in entries {
            tree_there(&place.join(&name), &format!("{path}/{}", name.to_str().unwrap()), out);
        }
    } else if metadata.is_symlink() {
        out.push(format!("{path} -> {}", fs::read_link(place).unwrap().display()));
    } else {
        out.push(format!("{path} {:?} {}", fs::read(place).unwrap(), metadata.nlink()));
    }
}

struct Both<'a> {
    view: &'a View<'a>,
    place: PathBuf,
}

impl Both<'_> {
    /// Does one thing in both worlds; paths are relative.
    fn act(&self, what: usize, path: &str, other: &str, step: u8) -> (Result<(), FileError>, Result<(), FileError>) {
        let (view, host, host_other) = (self.view, self.place.join(path), self.place.join(other));
        let (here, there) = match what {
            0 => (view.make(path.as_bytes(), MakeKind::Directory, 0o755).map(drop), fs::create_dir(host)),
            1 => (view.remove_directory(path.as_bytes()), fs::remove_dir(host)),
            2 => (view.remove_file(path.as_bytes()), fs::remove_file(host)),
            3 => (view.make(path.as_bytes(), MakeKind::Link(other.as_bytes()), 0o777).map(drop), symlink(other, host)),
            4 => {
                let old = view.lookup(path.as_bytes(), Follow::No);
                (old.and_then(|node| view.link(&node, other.as_bytes())), fs::hard_link(host, host_other))
            }
            5 | 6 => {
                let here = view.rename(path.as_bytes(), view, other.as_bytes(), RenameMode::Replace);
                (here, fs::rename(host, host_other))
            }
            _ => {
                let request = OpenRequest { truncate: true, ..CREATE };
                let here = view.open(path.as_bytes(), &request).map(|opened| {
                    write(&opened.node, 0, &[step]).unwrap();
                });
                (here, fs::write(host, [step]))
            }
        };
        (here, there.map_err(|failure| error(&failure)))
    }
}

#[test]
#[cfg_attr(miri, ignore = "it asks the host's file system")]
fn random_changes_do_as_the_host_does() {
    const PATHS: &[&str] = &[
        "a", "b", "a/b", "a/c", "b/a", "a/b/c", "b/./c", "a/../b", "a/b/..", "a/.", "c", "c/", "a/", "b/a/", "a/b/c/a",
        "c/a", ".", "..x",
    ];
    let place = std::env::temp_dir().join(format!("whittle-vfs-{}", std::process::id()));
    fs::create_dir(&place).unwrap();
    with_view(|view| {
        let both = Both { view, place: place.clone() };
        let mut state = 0x1234_5678_9abc_def1_u64;
        let mut pick = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        for step in 0..6000 {
            let (what, path, other) = (pick(9), PATHS[pick(PATHS.len())], PATHS[pick(PATHS.len())]);
            let (here, there) = both.act(what, path, other, step as u8);
            assert_eq!(here, there, "step {step}: {what} of {path} and {other}");
            if step % 100 == 0 {
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                tree_here(view.root, "", &mut ours);
                tree_there(&place, "", &mut theirs);
                assert_eq!(ours, theirs, "after step {step}");
            }
        }
    });
    fs::remove_dir_all(&place).unwrap();
}
