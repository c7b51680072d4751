//! Renaming within one overlay (rename(2)). Directories from below move like any other: what they have below goes
//! along.

use alloc::sync::Arc;

use super::{
    directory::{Above, Directory},
    edit::{checked, discard, renamed, settle},
    leaf::Leaf,
};
use crate::{FileError, Name, Node, RenameMode, same};

/// What a renaming is about, as it was found.
struct Wish<'a> {
    from: &'a Directory,
    name: &'a [u8],
    node: Arc<dyn Node>,
    to: &'a Directory,
    new_name: Name,
    /// What has the new name.
    old: Option<Arc<dyn Node>>,
    /// Whether something below had it.
    covers: bool,
    mode: RenameMode,
}

/// Moves the entry `name` of `from` to `new_name` in `to`.
pub(super) fn rename(
    from: &Directory,
    name: &[u8],
    to: &Directory,
    new_name: &[u8],
    mode: RenameMode,
) -> Result<(), FileError> {
    let new_name = checked(new_name)?;
    from.head.settle();
    to.head.settle();
    loop {
        let node = from.find(name)?;
        settle(&*node);
        let (old, covers) = match to.find(&new_name) {
            Ok(old) => (Some(old), false),
            Err(FileError::NotFound) => match to.check_vacant(&new_name) {
                Err(FileError::Exists) => continue,
                covers => (None, covers?),
            },
            Err(error) => return Err(error),
        };
        let wish = Wish { from, name, node, to, new_name: new_name.clone(), old, covers, mode };
        if let Some(result) = wish.fulfil() {
            return result;
        }
    }
}

impl Wish<'_> {
    /// `None` if what was found stands no longer.
    fn fulfil(&self) -> Option<Result<(), FileError>> {
        let hidden = self.look_below();
        // They go after the lock.
        let mut _released = (None, None);
        let _tree = self.from.head.shared.tree.lock();
        if !self.stands() {
            return None;
        }
        if let Err(error) = self.check() {
            return Some(Err(error));
        }
        let old = match &self.old {
            Some(old) if same(old, &self.node) => return Some(Ok(())),
            Some(_) if self.mode == RenameMode::Keep => return Some(Err(FileError::Exists)),
            None if self.mode == RenameMode::Exchange => return Some(Err(FileError::NotFound)),
            old => old.as_ref(),
        };
        if self.mode == RenameMode::Exchange {
            _released = (unsettle(&*self.node), old.and_then(|old| unsettle(&**old)));
            self.exchange(old?);
            return Some(Ok(()));
        }
        if let Some(old) = old {
            match hidden.and_then(|()| self.clear_way(old)) {
                Ok(released) => _released.1 = released,
                Err(error) => return Some(Err(error)),
            }
        }
        _released.0 = unsettle(&*self.node);
        self.replace(old);
        Some(Ok(()))
    }

    /// What has to be asked before a directory is replaced.
    fn look_below(&self) -> Result<(), FileError> {
        let Some(old) = &self.old else { return Ok(()) };
        settle(&**old);
        match (Directory::of(&*self.node), Directory::of(&**old)) {
            (Some(_), Some(old)) if self.mode == RenameMode::Replace => old.check_hidden(),
            _ => Ok(()),
        }
    }

    fn stands(&self) -> bool {
        let unchanged = {
            let to = self.to.inside.lock();
            to.removed
                || self
                    .old
                    .as_ref()
                    .map_or_else(|| to.slots.is_vacant(&self.new_name), |old| to.slots.has(&self.new_name, old))
        };
        unchanged && self.from.has(self.name, &self.node)
    }

    /// A directory does not go into itself, and nothing into one that is gone.
    fn check(&self) -> Result<(), FileError> {
        if self.to.inside.lock().removed {
            return Err(FileError::NotFound);
        }
        check_depth(&*self.node, self.to, FileError::Invalid)?;
        let Some(old) = &self.old else { return Ok(()) };
        match self.mode {
            _ if same(old, &self.node) => Ok(()),
            RenameMode::Exchange => check_depth(&**old, self.from, FileError::Invalid),
            RenameMode::Replace => check_depth(&**old, self.from, FileError::NotEmpty),
            RenameMode::Keep => Ok(()),
        }
    }

    /// Takes away what has the new name.
    fn clear_way(&self, old: &Arc<dyn Node>) -> Result<Option<Arc<Directory>>, FileError> {
        match (Directory::of(&*self.node), Directory::of(&**old)) {
            (Some(_), None) => Err(FileError::NotDirectory),
            (None, Some(_)) => Err(FileError::IsDirectory),
            _ => discard(old),
        }
    }

    fn exchange(&self, old: &Arc<dyn Node>) {
        put(old, self.from, self.name.into(), true);
        put(&self.node, self.to, self.new_name.clone(), true);
        let [one, other] = [&self.node, old].map(|node| i64::from(Directory::of(&**node).is_some()));
        self.from.changed(0, other - one);
        self.to.changed(0, one - other);
    }

    fn replace(&self, old: Option<&Arc<dyn Node>>) {
        // First the new entry, then the old one away: whoever looks in between finds it twice, never not at all.
        put(&self.node, self.to, self.new_name.clone(), self.covers);
        self.from.inside.lock().slots.hide(self.name);
        let is_directory = i64::from(Directory::of(&*self.node).is_some());
        let replaced = i64::from(old.is_some_and(|old| Directory::of(&**old).is_some()));
        self.from.changed(-1, -is_directory);
        self.to.changed(i64::from(old.is_none()), is_directory - replaced);
    }
}

fn check_depth(node: &dyn Node, directory: &Directory, inside: FileError) -> Result<(), FileError> {
    if Directory::of(node).is_some_and(|node| directory.is_within(node)) { Err(inside) } else { Ok(()) }
}

/// A file that moves is not where it was first seen. As [`Leaf::keep`].
fn unsettle(node: &dyn Node) -> Option<Arc<Directory>> {
    Leaf::of(node).and_then(Leaf::keep)
}

/// Enters `node` under its new name.
fn put(node: &Arc<dyn Node>, to: &Directory, name: Name, covers: bool) {
    renamed(&**node);
    if let Some(directory) = Directory::of(&**node) {
        directory.inside.lock().place = Some((Above::Keeps(to.myself.clone()), name.clone()));
    }
    to.inside.lock().slots.keep(name, node.clone(), covers);
}
