//! Renaming within one file system (rename(2)).

use alloc::sync::Arc;

use super::{
    Directory,
    directory::{base_of, forget_name},
};
use crate::{FileError, Kind, Name, Node, RenameMode, same};

/// Moves the entry `name` of `from` to `new_name` in `to`.
pub(super) fn rename(
    from: &Directory,
    name: &[u8],
    to: &Directory,
    new_name: Name,
    mode: RenameMode,
) -> Result<(), FileError> {
    let _tree = from.shared().tree.lock();
    let node = from.get(name)?;
    let old = to.get(&new_name).ok();
    if to.inside().removed {
        return Err(FileError::NotFound);
    }
    check_depth(&*node, to, FileError::Invalid)?;
    match (&old, mode) {
        (Some(old), _) if same(old, &node) => return Ok(()),
        (Some(_), RenameMode::Keep) => return Err(FileError::Exists),
        (None, RenameMode::Exchange) => return Err(FileError::NotFound),
        (Some(old), RenameMode::Exchange) => {
            check_depth(&**old, from, FileError::Invalid)?;
            enter(to, old.clone(), from, name.into());
            enter(from, node, to, new_name);
        }
        (_, _) => {
            if let Some(old) = &old {
                check_depth(&**old, from, FileError::NotEmpty)?;
                clear_way(&*node, &**old, to)?;
            }
            // First the new entry, then the old one away: whoever looks in between finds it twice, never not at all.
            enter(from, node, to, new_name);
            // Names are unique: in one directory the two differ, or `old` would have been `node`.
            from.inside().entries.remove(name);
        }
    }
    from.base.touch();
    to.base.touch();
    Ok(())
}

/// A directory does not go into itself.
fn check_depth(node: &dyn Node, directory: &Directory, inside: FileError) -> Result<(), FileError> {
    if Directory::of(node).is_some_and(|node| directory.is_within(node)) { Err(inside) } else { Ok(()) }
}

/// Takes away what has the new name.
fn clear_way(node: &dyn Node, old: &dyn Node, to: &Directory) -> Result<(), FileError> {
    match (node.kind() == Kind::Directory, Directory::of(old)) {
        (true, Some(old)) => {
            old.retire()?;
            to.base.drop_links(1);
        }
        (true, None) => return Err(FileError::NotDirectory),
        (false, Some(_)) => return Err(FileError::IsDirectory),
        (false, None) => forget_name(old),
    }
    Ok(())
}

/// Enters `node` of `from` under its new name.
fn enter(from: &Directory, node: Arc<dyn Node>, to: &Directory, new_name: Name) {
    if to.place_directory(&*node, &new_name) {
        from.base.drop_links(1);
    }
    if let Some(base) = Directory::of(&*node).map(|directory| &directory.base).or_else(|| base_of(&*node)) {
        base.rename();
    }
    to.inside().entries.insert(new_name, node);
}
