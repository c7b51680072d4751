//! The image's tree, as its only user sees it: everything is allowed, and relative paths begin at the root.

use alloc_crate::sync::Arc;
use contracts::vfs::{
    Confinement, Credentials, FileError, NodeReference, OpenRequest, View,
    ramfs::{Directory, File},
};

use super::error::of;
use crate::{
    io::{ErrorKind, Message, Result},
    path::Path,
};

const NUL: Message = Message { kind: ErrorKind::InvalidInput, text: "file name contained an unexpected NUL byte" };

static WHO: Credentials = Credentials::SUPERUSER;

fn view() -> View<'static> {
    let root = contracts::filesystem::root();
    View { root, start: root, who: &WHO, mounts: contracts::filesystem::mounts(), confined: Confinement::NONE }
}

fn bytes(path: &Path) -> Result<&[u8]> {
    let bytes = path.bytes();
    if bytes.contains(&0) { Err(NUL.error()) } else { Ok(bytes) }
}

/// Does something with the tree and a path.
pub(super) fn at<T>(
    path: &Path,
    act: impl FnOnce(&View<'_>, &[u8]) -> core::result::Result<T, FileError>,
) -> Result<T> {
    act(&view(), bytes(path)?).map_err(of)
}

/// The same with two paths.
pub(super) fn between<T>(
    one: &Path,
    other: &Path,
    act: impl FnOnce(&View<'_>, &[u8], &[u8]) -> core::result::Result<T, FileError>,
) -> Result<T> {
    act(&view(), bytes(one)?, bytes(other)?).map_err(of)
}

/// Opens what is at a path.
#[inline(never)]
pub(super) fn open(path: &Path, request: &OpenRequest) -> Result<NodeReference> {
    at(path, |view, path| view.open_node(path, request))
}

/// The file in memory at a path, if the short way leads there: one file system and names alone. A name that is found
/// has no NUL.
#[inline]
pub(super) fn file(path: &Path) -> Option<Arc<File>> {
    let path = path.bytes();
    let path = path.strip_prefix(b"/").unwrap_or(path);
    let root = Directory::of(&**contracts::filesystem::root())?;
    if contracts::filesystem::mounts().is_empty() { root.file_at(path) } else { None }
}
