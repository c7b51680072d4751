//! An archive of a person's as the program's files: cpio (newc) and tar, as they are. The boot archive is written anew
//! from it, with contents at page boundaries, so that the kernel serves them where they lie.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use archive::Archive;
use launch::ARCHIVE_NAME;

use super::Tree;
use super::tree::{Entry, Kind};
use crate::failure::{Doing, Failure};

/// What archives begin with (cpio(5)), and where tar has its mark (tar(5)).
const CPIO: [&[u8]; 2] = [b"070701", b"070702"];
const TAR: (usize, &[u8]) = (257, b"ustar");
/// Compressed files, and what unpacks them.
const COMPRESSED: [(&[u8], &str); 5] = [
    (b"\x1f\x8b", "gunzip"),
    (b"\xfd7zXZ\0", "unxz"),
    (b"\x28\xb5\x2f\xfd", "unzstd"),
    (b"BZh", "bunzip2"),
    (b"\x04\x22\x4d\x18", "unlz4"),
];

/// What a file is by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An archive of cpio's.
    Cpio,
    /// An archive of tar's.
    Tar,
    /// Something that this program unpacks.
    Compressed(&'static str),
    /// Anything else: a disk, perhaps.
    Other,
}

/// Looks at a file's first bytes.
pub fn form(file: &Path) -> Result<Form, Failure> {
    let mut start = Vec::new();
    let opened = fs::File::open(file).doing(format!("read {}", file.display()))?;
    opened.take(512).read_to_end(&mut start).doing(format!("read {}", file.display()))?;
    if CPIO.iter().any(|magic| start.starts_with(magic)) {
        return Ok(Form::Cpio);
    }
    if start.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1)) {
        return Ok(Form::Tar);
    }
    let compressed = COMPRESSED.iter().find(|(magic, _)| start.starts_with(magic));
    Ok(compressed.map_or(Form::Other, |&(_, by)| Form::Compressed(by)))
}

/// The files of an archive. Devices, pipes and sockets in it are left out.
pub fn unpack(file: &Path) -> Result<Tree, Failure> {
    let bytes = fs::read(file).doing(format!("read {}", file.display()))?;
    let mut tree = Tree::default();
    if form(file)? == Form::Tar {
        tar(&bytes, file, &mut tree)?
    } else {
        cpio(&bytes, file, &mut tree)?
    }
    Ok(tree)
}

/// An absolute path without `.` and `..`; `None` for one that leads out, and for the root itself.
fn inside(name: &[u8]) -> Option<PathBuf> {
    let mut path = PathBuf::from("/");
    for part in Path::new(OsStr::from_bytes(name)).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => return None,
            _ => {}
        }
    }
    path.file_name()?;
    Some(path)
}

fn cpio(bytes: &[u8], file: &Path, tree: &mut Tree) -> Result<(), Failure> {
    // Of a file with several names, one has the contents, mostly the last.
    let mut contents: BTreeMap<u32, &[u8]> = BTreeMap::new();
    let entries: Result<Vec<_>, _> = Archive::new(bytes).entries().collect();
    let entries = entries.doing(format!("unpack {}", file.display()))?;
    for entry in entries.iter().filter(|entry| entry.inode != 0 && !entry.contents.is_empty()) {
        contents.insert(entry.inode, entry.contents);
    }
    for entry in &entries {
        // A boot archive's own record is no file of the program's.
        let Some(path) = inside(entry.name).filter(|_| entry.name != ARCHIVE_NAME.as_bytes()) else { continue };
        let kind = match entry.mode & archive::KIND_MASK {
            archive::DIRECTORY => Kind::Directory,
            archive::LINK => Kind::Link(entry.contents.to_vec()),
            archive::REGULAR => {
                let shared = contents.get(&entry.inode).filter(|_| entry.contents.is_empty());
                Kind::Contents(shared.copied().unwrap_or(entry.contents).to_vec())
            }
            _ => continue,
        };
        let (mode, modified) = (entry.mode & 0o7777, entry.modified.into());
        tree.put(&path, Entry { kind, mode, user: entry.user, group: entry.group, modified })?;
    }
    Ok(())
}

fn tar(bytes: &[u8], file: &Path, tree: &mut Tree) -> Result<(), Failure> {
    let doing = || format!("unpack {}", file.display());
    let mut archive = ::tar::Archive::new(bytes);
    for entry in archive.entries().doing(doing())? {
        let mut entry = entry.doing(doing())?;
        let Some(path) = inside(&entry.path_bytes()) else { continue };
        let target = entry.link_name_bytes().map(|name| name.into_owned()).unwrap_or_default();
        let head = entry.header();
        let number = |read: std::io::Result<u64>| read.doing(doing());
        let found = Entry {
            kind: Kind::Directory,
            mode: head.mode().doing(doing())? & 0o7777,
            user: number(head.uid())? as u32,
            group: number(head.gid())? as u32,
            modified: number(head.mtime())? as i64,
        };
        let form = head.entry_type();
        let kind = if form.is_dir() {
            Kind::Directory
        } else if form.is_symlink() {
            Kind::Link(target)
        } else if form.is_hard_link() {
            let of = inside(&target).and_then(|of| tree.get(&of).cloned());
            of.ok_or_else(|| {
                Failure::ours(format!("{}: {} is a name of what is not there", file.display(), path.display()))
            })?
            .kind
        } else if form.is_file() {
            let mut contents = Vec::new();
            entry.read_to_end(&mut contents).doing(doing())?;
            Kind::Contents(contents)
        } else {
            continue;
        };
        tree.put(&path, Entry { kind, ..found })?;
    }
    Ok(())
}

/// The path in the archive's tree of what `name` means: as it is with a slash in it, else the first file in `PATH`.
pub fn find(tree: &Tree, name: &OsStr, search: Option<&OsStr>) -> Option<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return Some(Path::new("/").join(name));
    }
    let folders: Vec<PathBuf> = search.map(|search| std::env::split_paths(search).collect()).unwrap_or_default();
    // By their links, as the kernel will go: /bin is a link in many trees.
    let is_there = |path: &PathBuf| {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let way = match tree.get(folder).map(|entry| &entry.kind) {
            Some(Kind::Link(target)) => {
                Path::new("/").join(PathBuf::from(std::ffi::OsString::from_vec(target.clone())))
            }
            _ => folder.to_owned(),
        };
        tree.get(&way.join(name)).is_some_and(|entry| entry.kind != Kind::Directory)
    };
    folders.iter().map(|folder| folder.join(name)).find(is_there)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn archives_of_both_kinds_are_the_same_tree() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::create_dir_all(at.join("tree/usr/bin")).unwrap();
        fs::write(at.join("tree/usr/bin/tool"), vec![7; 10_000]).unwrap();
        fs::hard_link(at.join("tree/usr/bin/tool"), at.join("tree/other")).unwrap();
        std::os::unix::fs::symlink("usr/bin", at.join("tree/bin")).unwrap();
        let shell =
            |line: &str| assert!(Command::new("sh").current_dir(at).args(["-c", line]).status().unwrap().success());
        shell("cd tree && find . | cpio --quiet -o -H newc > ../a.cpio && tar cf ../a.tar . && gzip -k ../a.tar");
        let (cpio, tar) = (unpack(&at.join("a.cpio")).unwrap(), unpack(&at.join("a.tar")).unwrap());
        let all =
            |tree: &Tree| tree.entries().map(|(path, entry)| (path.to_owned(), entry.clone())).collect::<Vec<_>>();
        assert_eq!(all(&cpio), all(&tar));
        assert_eq!(cpio.get(Path::new("/other")).unwrap().kind, Kind::Contents(vec![7; 10_000]));
        assert_eq!(cpio.get(Path::new("/bin")).unwrap().kind, Kind::Link(b"usr/bin".to_vec()));
        assert_eq!(find(&cpio, "tool".as_ref(), Some("/sbin:/bin".as_ref())), Some("/bin/tool".into()));
        assert_eq!(find(&cpio, "none".as_ref(), Some("/bin".as_ref())), None);
        assert_eq!(form(&at.join("a.tar.gz")), Ok(Form::Compressed("gunzip")));
        fs::write(at.join("cut.cpio"), &fs::read(at.join("a.cpio")).unwrap()[..3000]).unwrap();
        let failure = unpack(&at.join("cut.cpio")).unwrap_err().sentence;
        assert!(
            failure.starts_with("cannot unpack") && failure.contains("cut.cpio: the archive ends in the middle"),
            "{failure}"
        );
    }

    #[test]
    fn nothing_leads_out_of_an_archive() {
        assert_eq!(inside(b"./a/b"), Some("/a/b".into()));
        assert_eq!((inside(b"../a"), inside(b"a/../../b"), inside(b"/"), inside(b".")), (None, None, None, None));
    }
}
