//! The guest's file system while it is put together: what will stand where, before a byte is copied.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::Metadata;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::failure::Failure;

/// Symbolic links that may follow one another, as in path_resolution(7).
pub const MOST_LINKS: usize = 40;

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A directory.
    Directory,
    /// A symbolic link to this.
    Link(Vec<u8>),
    /// A file of the host's, with its length in bytes when it was met.
    File(PathBuf, u64),
    /// A file with these contents.
    Contents(Vec<u8>),
}

/// One entry of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Permission bits, with set-user-ID, set-group-ID and sticky.
    pub mode: u32,
    /// Owner.
    pub user: u32,
    /// Group.
    pub group: u32,
    /// Last change, seconds since 1970.
    pub modified: i64,
}

impl Entry {
    /// A directory of root's.
    #[must_use]
    pub const fn directory(mode: u32) -> Self {
        Self { kind: Kind::Directory, mode, user: 0, group: 0, modified: 0 }
    }

    /// An entry with the attributes of something on the host.
    #[must_use]
    pub fn like(metadata: &Metadata, kind: Kind) -> Self {
        Self {
            kind,
            mode: metadata.mode() & 0o7777,
            user: metadata.uid(),
            group: metadata.gid(),
            modified: metadata.mtime(),
        }
    }
}

/// Entries by absolute path without `.`, `..` or links in the way; parents come before their children.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    entries: BTreeMap<PathBuf, Entry>,
}

impl Tree {
    /// All entries, parents first.
    pub fn entries(&self) -> impl Iterator<Item = (&Path, &Entry)> {
        self.entries.iter().map(|(path, entry)| (path.as_path(), entry))
    }

    /// What stands at a path that has no link in the way.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// Puts `entry` at `path`, following links and making directories on the way there, and returns where that is.
    /// What stood there goes, except that a directory keeps its entries when a directory takes its place.
    pub fn put(&mut self, path: &Path, entry: Entry) -> Result<PathBuf, Failure> {
        let Some(name) = path.file_name() else { return Ok(PathBuf::from("/")) };
        let place = self.directory(path.parent().unwrap_or(Path::new("/")))?.join(name);
        if entry.kind != Kind::Directory {
            self.entries.retain(|path, _| !path.starts_with(&place));
        }
        self.entries.insert(place.clone(), entry);
        Ok(place)
    }

    /// Resolves a directory's path inside the tree and makes what is missing.
    pub fn directory(&mut self, path: &Path) -> Result<PathBuf, Failure> {
        let mut at = PathBuf::from("/");
        let mut links = 0;
        let mut ahead = reversed(path);
        while let Some(name) = ahead.pop() {
            if name == ".." {
                at.pop();
                continue;
            }
            let next = at.join(&name);
            match self.entries.get(&next).map(|entry| &entry.kind) {
                Some(Kind::Link(target)) => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(Failure::ours(format!("too many symbolic links in {}", path.display())));
                    }
                    let target = PathBuf::from(OsString::from_vec(target.clone()));
                    if target.is_absolute() {
                        at = PathBuf::from("/");
                    }
                    ahead.extend(reversed(&target));
                }
                Some(Kind::Directory) => at = next,
                Some(_) => {
                    let what = next.display();
                    return Err(Failure::ours(format!("{}: {what} is a file, not a directory", path.display())));
                }
                None => {
                    self.entries.insert(next.clone(), Entry::directory(0o755));
                    at = next;
                }
            }
        }
        Ok(at)
    }
}

/// A path's names, the last first; `..` among them, `/` and `.` not.
pub fn reversed(path: &Path) -> Vec<OsString> {
    let name = |component: Component<'_>| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    path.components().rev().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Entry {
        Entry { kind: Kind::Contents(vec![1]), ..Entry::directory(0o644) }
    }

    fn link(target: &str) -> Entry {
        Entry { kind: Kind::Link(target.into()), ..Entry::directory(0o777) }
    }

    fn paths(tree: &Tree) -> Vec<&str> {
        tree.entries().map(|(path, _)| path.to_str().unwrap()).collect()
    }

    #[test]
    fn parents_are_made_and_come_first() {
        let mut tree = Tree::default();
        tree.put(Path::new("/a/b/./c"), file()).unwrap();
        tree.put(Path::new("/a/b/../d"), file()).unwrap();
        assert_eq!(paths(&tree), ["/a", "/a/b", "/a/b/c", "/a/d"]);
        assert_eq!(tree.put(Path::new("/"), Entry::directory(0o755)).unwrap(), Path::new("/"));
    }

    #[test]
    fn links_on_the_way_are_followed() {
        let mut tree = Tree::default();
        tree.put(Path::new("/bin"), link("usr/bin")).unwrap();
        assert_eq!(tree.put(Path::new("/bin/sh"), file()).unwrap(), Path::new("/usr/bin/sh"));
        tree.put(Path::new("/loop"), link("/loop")).unwrap();
        assert!(tree.put(Path::new("/loop/x"), file()).unwrap_err().sentence.contains("symbolic links"));
        let failure = tree.put(Path::new("/bin/sh/x"), file()).unwrap_err();
        assert_eq!(failure.sentence, "/bin/sh: /usr/bin/sh is a file, not a directory");
    }

    #[test]
    fn the_last_word_on_a_path_holds() {
        let mut tree = Tree::default();
        tree.put(Path::new("/d/x"), file()).unwrap();
        tree.put(Path::new("/d"), Entry::directory(0o700)).unwrap();
        assert_eq!(paths(&tree), ["/d", "/d/x"]);
        assert_eq!(tree.get(Path::new("/d")).unwrap().mode, 0o700);
        tree.put(Path::new("/d"), file()).unwrap();
        assert_eq!(paths(&tree), ["/d"]);
    }
}
