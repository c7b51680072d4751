//! Where a file system is to stand in the tree: it is put there, and the way to it is made.

use alloc::{borrow::Cow, sync::Arc};

use vfs::{Credentials, FileError, Follow, Kind, MakeKind, Mounting, Node, View};

use crate::MOUNTS;

/// A path or a name, for people to read.
pub fn text(path: &[u8]) -> Cow<'_, str> {
    alloc::string::String::from_utf8_lossy(path)
}

/// Covers what stands at `path`, which is made if there is nothing.
pub fn cover(root: &Arc<dyn Node>, path: &[u8], kind: &'static str, with: Arc<dyn Node>) -> Result<(), FileError> {
    put(root, path, Mounting { root: with, kind, source: Cow::Borrowed(kind.as_bytes()), read_only: false })
}

/// Mounts a file system at `path`, which is made if there is nothing.
pub fn put(root: &Arc<dyn Node>, path: &[u8], mounted: Mounting) -> Result<(), FileError> {
    let who = Credentials::default();
    let view = View { root, start: root, who: &who, mounts: &MOUNTS, confined: vfs::Confinement::NONE };
    make_way(&view, path, mounted.root.kind())?;
    view.mount(path, mounted)
}

/// Makes the directories that a path leads through, and at its end what is to be covered, as far as they are missing.
fn make_way(view: &View<'_>, path: &[u8], kind: Kind) -> Result<(), FileError> {
    let ends = (1..=path.len()).filter(|&end| end == path.len() || path[end] == b'/');
    for end in ends.filter(|&end| path[end - 1] != b'/') {
        let is_last = path[end..].iter().all(|&byte| byte == b'/');
        match view.lookup(&path[..end], Follow::Yes) {
            Ok(_) => {}
            Err(FileError::NotFound) if is_last && kind != Kind::Directory => {
                view.make(&path[..end], MakeKind::File, 0o644)?;
            }
            Err(FileError::NotFound) => drop(view.make(&path[..end], MakeKind::Directory, 0o755)?),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
