//! The short way to a file: names alone, from directory to directory, without holding any of them but by its lock.

use alloc::sync::Arc;
use core::any::Any;

use super::{Directory, File};
use crate::Node;

/// Directories that the short way goes through: each has its place on the caller's stack.
const DEEPEST: u32 = 8;

impl Directory {
    /// The file at a path of names from here; `None` if there is none, or if it takes more to know that: `.`, `..`, a
    /// symbolic link, a node that is no file, or a longer way. Mounts are not looked at.
    #[must_use]
    #[inline]
    pub fn file_at(&self, path: &[u8]) -> Option<Arc<File>> {
        self.descend(path, DEEPEST)
    }

    fn descend(&self, path: &[u8], left: u32) -> Option<Arc<File>> {
        let length = path.iter().position(|&byte| byte == b'/').unwrap_or(path.len());
        let (name, rest) = path.split_at(length);
        let inside = self.inside_in_line();
        // `.` and `..` and nothing are no names of entries.
        let node = inside.entries.get(name)?;
        if rest.is_empty() {
            return file(node);
        }
        let next = Self::of(&**node).filter(|_| left > 0)?;
        // From above to below is the order in which directories are locked.
        next.descend(&rest[1..], left - 1)
    }
}

fn file(node: &Arc<dyn Node>) -> Option<Arc<File>> {
    // Most often it is one, so it is not asked before.
    let any: Arc<dyn Any + Send + Sync> = node.clone();
    any.downcast().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Creation, MakeKind, Owner,
        tests::{empty, nameless},
    };

    fn make(directory: &dyn Node, name: &[u8], kind: MakeKind<'_>) -> Arc<dyn Node> {
        directory.create(name, &Creation { kind, mode: 0o755, owner: Owner::default() }).unwrap()
    }

    #[test]
    fn files_are_found_by_names_alone() {
        let ramfs = empty();
        let root = ramfs.root();
        let below = make(&**root, b"below", MakeKind::Directory);
        let file = make(&*below, b"file", MakeKind::File);
        make(&**root, b"link", MakeKind::Link(b"below/file"));
        let found = |path: &[u8]| root.file_at(path).map(|found| found.inode());
        assert_eq!(found(b"below/file"), Some(file.inode()));
        for path in [
            "",
            "/",
            "below",
            "below/",
            "below//file",
            "below/file/",
            "below/none",
            "link",
            "./below/file",
            "none/file",
        ] {
            assert_eq!(found(path.as_bytes()), None, "{path}");
        }
        assert!(root.file_at(b"below/../below/file").is_none());
        drop(nameless(&ramfs));
    }

    #[test]
    fn a_long_way_is_left_to_others() {
        let ramfs = empty();
        let mut at: Arc<dyn Node> = ramfs.root().clone();
        let mut path = alloc::vec::Vec::new();
        for depth in 0..=DEEPEST + 1 {
            make(&*at, b"file", MakeKind::File);
            let whole = [&path[..], b"file"].concat();
            assert_eq!(ramfs.root().file_at(&whole).is_some(), depth <= DEEPEST);
            at = make(&*at, b"d", MakeKind::Directory);
            path.extend_from_slice(b"d/");
        }
    }
}
