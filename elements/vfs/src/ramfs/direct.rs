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
        let (name, rest) = path.split_at(name_length(path));
        let inside = self.inside_in_line();
        // `.` and `..` and nothing are no names of entries.
        let node = inside.entries.get(name)?;
        if rest.is_empty() {
            return file(node);
        }
        let any: &dyn Any = &**node;
        let next: &Self = any.downcast_ref().filter(|_| left > 0)?;
        // From above to below is the order in which directories are locked.
        next.descend(&rest[1..], left - 1)
    }
}

/// Bytes of a path before its first slash, by words and then byte by byte.
#[inline(always)]
fn name_length(path: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let (words, rest) = path.as_chunks();
    for (index, word) in words.iter().enumerate() {
        // The lowest byte that this marks is the first that is a slash: what is zero borrows from those above alone.
        let differing = u64::from_le_bytes(*word) ^ (ONES * u64::from(b'/'));
        let slashes = differing.wrapping_sub(ONES) & !differing & (ONES << 7);
        if slashes != 0 {
            return index * 8 + slashes.trailing_zeros() as usize / 8;
        }
    }
    let rest = rest.iter().take_while(|&&byte| byte != b'/').count();
    words.len() * 8 + rest
}

#[inline(always)]
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
