//! Entries of a directory of a share: found, made, renamed and removed.

use alloc::{borrow::Cow, sync::Arc};
use core::any::Any;

use vfs::{Creation, FileError, Kind, MakeKind, Node, Place, Removal, RenameMode};

use super::{
    convert::{self, file_error},
    name_of,
    node::{HostNode, identity},
    number_of,
};
use crate::host::directory::{self as host, Access, RENAME_EXCHANGE, RENAME_NO_REPLACE};

/// Held entries from which on those that nobody holds any more are looked for.
const WORTH_CLEANING: usize = 256;

/// The entry of that name.
pub fn find(directory: &HostNode, name: &[u8]) -> Result<Arc<HostNode>, FileError> {
    let host_name = name_of(name)?;
    let known = directory.known.lock().get(name).and_then(alloc::sync::Weak::upgrade);
    if let Some(node) = known {
        let status = host::status_of(&directory.descriptor, &host_name).map_err(file_error)?;
        if node.identity == identity(&status) {
            return Ok(node);
        }
    }
    let opened = host::open(&directory.descriptor, &host_name, Access::Path).map_err(file_error)?;
    // Another file may have that name by now: what counts is the one that is open.
    let status = host::status(&opened).map_err(file_error)?;
    let node = HostNode::new(&directory.share, opened, &status, Some(place(directory, name)?));
    let mut known = directory.known.lock();
    // Somebody else may have come first, and a directory is one node.
    if let Some(other) = known.get(name).and_then(alloc::sync::Weak::upgrade)
        && other.identity == node.identity
    {
        return Ok(other);
    }
    if known.len() >= WORTH_CLEANING {
        known.retain(|_, node| node.strong_count() > 0);
    }
    known.insert(name.to_vec(), Arc::downgrade(&node));
    Ok(node)
}

fn place(directory: &HostNode, name: &[u8]) -> Result<Place, FileError> {
    Ok(Place { parent: directory.counted()?, name: Cow::Owned(name.to_vec()), removed: false })
}

/// Makes an entry.
pub fn create(directory: &HostNode, name: &[u8], creation: &Creation<'_>) -> Result<Arc<dyn Node>, FileError> {
    let host_name = name_of(name)?;
    let mode = creation.mode;
    let at = &directory.descriptor;
    match creation.kind {
        MakeKind::File => host::create(at, &host_name, mode).map(drop),
        MakeKind::Directory => host::make_directory(at, &host_name, mode),
        MakeKind::Link(target) => {
            let target = alloc::ffi::CString::new(target).map_err(|_| FileError::Invalid)?;
            host::make_link(at, &host_name, &target)
        }
        MakeKind::Special(kind @ (Kind::Pipe | Kind::Socket), _) => {
            host::make_special(at, &host_name, kind.bits() | mode)
        }
        // A device file would be the host's.
        MakeKind::Special(..) => return Err(FileError::NotPermitted),
    }
    .map_err(file_error)?;
    let node = find(directory, name)?;
    let made = host::status(&node.descriptor).map_err(file_error)?;
    let owner = creation.owner;
    if (made.user, made.group) != (owner.user, owner.group) {
        // Only a host's root can give files away: anyone else's stay the one's who runs us.
        let _ = host::set_owner(&node.descriptor, owner.user, owner.group);
    }
    let masked = u32::from(made.mode) & 0o7777 != mode;
    if masked && convert::kind(made.mode) != Kind::Link {
        // The host's umask, or a directory's inherited bit.
        host::set_mode(&node.share.descriptors, &number_of(&node.descriptor), mode).map_err(file_error)?;
    }
    Ok(node)
}

/// The node as one of a share's.
fn of(node: &Arc<dyn Node>) -> Result<&HostNode, FileError> {
    let node: &dyn Any = &**node;
    node.downcast_ref().ok_or(FileError::CrossDevice)
}

/// Gives a node one more name.
pub fn link(directory: &HostNode, name: &[u8], node: &Arc<dyn Node>) -> Result<(), FileError> {
    let node = of(node)?;
    let file = number_of(&node.descriptor);
    host::link(&node.share.descriptors, &file, &directory.descriptor, &name_of(name)?).map_err(file_error)
}

/// Removes an entry.
pub fn remove(directory: &HostNode, name: &[u8], removal: Removal) -> Result<(), FileError> {
    let is_directory = removal == Removal::Directory;
    host::remove(&directory.descriptor, &name_of(name)?, is_directory).map_err(file_error)?;
    if let Some(node) = forget(directory, name)
        && let Some(place) = &mut *node.place.lock()
    {
        place.removed = true;
    }
    Ok(())
}

/// An entry that has lost its name here, if somebody holds it.
fn forget(directory: &HostNode, name: &[u8]) -> Option<Arc<HostNode>> {
    directory.known.lock().remove(name)?.upgrade()
}

/// Moves an entry.
pub fn rename(
    directory: &HostNode,
    name: &[u8],
    new_directory: &Arc<dyn Node>,
    new_name: &[u8],
    mode: RenameMode,
) -> Result<(), FileError> {
    let new_directory = of(new_directory)?;
    let flags = match mode {
        RenameMode::Replace => 0,
        RenameMode::Keep => RENAME_NO_REPLACE,
        RenameMode::Exchange => RENAME_EXCHANGE,
    };
    let (from, to) = (&directory.descriptor, &new_directory.descriptor);
    host::rename(from, &name_of(name)?, to, &name_of(new_name)?, flags).map_err(file_error)?;
    let moved = forget(directory, name);
    let replaced = forget(new_directory, new_name);
    // Both names may be one file's, which then keeps both.
    let is_same = |one: &Arc<HostNode>| replaced.as_ref().is_some_and(|other| Arc::ptr_eq(one, other));
    if let Some(moved) = moved.filter(|moved| !is_same(moved)) {
        stand(&moved, new_directory, new_name)?;
    }
    match replaced {
        Some(other) if mode == RenameMode::Exchange => stand(&other, directory, name)?,
        Some(other) => other.place.lock().iter_mut().for_each(|place| place.removed = true),
        None => {}
    }
    Ok(())
}

/// Notes that a node stands there now.
fn stand(node: &Arc<HostNode>, directory: &HostNode, name: &[u8]) -> Result<(), FileError> {
    *node.place.lock() = Some(place(directory, name)?);
    directory.known.lock().insert(name.to_vec(), Arc::downgrade(node));
    Ok(())
}
