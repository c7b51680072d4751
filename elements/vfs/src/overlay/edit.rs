//! Making and removing entries.

use alloc::{borrow::Cow, sync::Arc};

use super::{
    directory::{Above, Directory},
    head::Head,
    leaf::{Body, Leaf},
    slots::Held,
};
use crate::{Creation, FileError, Kind, MakeKind, Metadata, NAME_LENGTH, Name, Node, Removal};

/// A name that an entry can have.
pub(super) fn checked(name: &[u8]) -> Result<Name, FileError> {
    if name.len() > NAME_LENGTH { Err(FileError::NameTooLong) } else { Ok(name.into()) }
}

/// What is common to all nodes of an overlay.
fn head(node: &dyn Node) -> Option<&Head> {
    Directory::of(node).map(|directory| &directory.head).or_else(|| Leaf::of(node).map(|leaf| &leaf.head))
}

/// From now on, what is known about the node is kept here.
pub(super) fn settle(node: &dyn Node) {
    if let Some(head) = head(node) {
        head.settle();
    }
}

/// A settled node has another name.
pub(super) fn renamed(node: &dyn Node) {
    if let Some(head) = head(node) {
        head.rename();
    }
}

/// Number and kind of a node that is settled.
pub(super) fn known_number(node: &dyn Node) -> Option<(u64, Kind)> {
    head(node)?.settled().map(|known| (known.inode, known.kind))
}

impl Directory {
    pub(super) fn make(&self, name: &[u8], creation: &Creation<'_>) -> Result<Arc<dyn Node>, FileError> {
        let is_directory = creation.kind == MakeKind::Directory;
        self.enter(name, i64::from(is_directory), |name| Ok(self.made(name, creation)))
    }

    pub(super) fn add_name(&self, name: &[u8], node: &Arc<dyn Node>) -> Result<(), FileError> {
        let leaf = Leaf::of(&**node).filter(|leaf| leaf.head.system() == self.head.system());
        let leaf = leaf.ok_or(FileError::CrossDevice)?;
        leaf.claim();
        self.enter(name, 0, |_| if leaf.head.add_link() { Ok(node.clone()) } else { Err(FileError::NotFound) })
            .map(drop)
    }

    /// Gives a vacant name to what `make` makes with the tree locked.
    fn enter(
        &self,
        name: &[u8],
        directories: i64,
        make: impl FnOnce(&Name) -> Result<Arc<dyn Node>, FileError>,
    ) -> Result<Arc<dyn Node>, FileError> {
        let name = checked(name)?;
        self.head.settle();
        let covers = self.check_vacant(&name)?;
        let _tree = self.head.shared.tree.lock();
        let mut inside = self.inside.lock();
        if inside.removed {
            return Err(FileError::NotFound);
        }
        // Somebody may have been faster.
        if !inside.slots.is_vacant(&name) {
            return Err(FileError::Exists);
        }
        let node = make(&name)?;
        inside.slots.keep(name, node.clone(), covers);
        drop(inside);
        self.changed(1, directories);
        Ok(node)
    }

    /// Its entries are not as below. With the tree locked.
    pub(super) fn changed(&self, entries: i64, directories: i64) {
        self.keep();
        self.head.count_entries(entries, directories);
    }

    fn made(&self, name: &Name, creation: &Creation<'_>) -> Arc<dyn Node> {
        let (kind, links, size, special) = match creation.kind {
            MakeKind::File => (Kind::Regular, 1, 0, (0, 0)),
            // As tmpfs: `.` and `..` count 20 bytes each.
            MakeKind::Directory => (Kind::Directory, 2, 40, (0, 0)),
            MakeKind::Link(target) => (Kind::Link, 1, target.len() as u64, (0, 0)),
            MakeKind::Special(kind, number) => (kind, 1, 0, number),
        };
        let plain = Metadata::new(kind, creation.mode);
        let head =
            Head::made(self.head.shared.clone(), Metadata { links, size, special, owner: creation.owner, ..plain });
        match creation.kind {
            MakeKind::Directory => Directory::new(head, Some((Above::Keeps(self.myself.clone()), name.clone()))),
            MakeKind::Link(target) => Leaf::made(head, kind, Body::Link(Some(Cow::Owned(crate::copied(target))))),
            MakeKind::File => Leaf::made(head, kind, Body::empty_file(&self.head.shared)),
            MakeKind::Special(..) => Leaf::made(head, kind, Body::special()),
        }
    }

    pub(super) fn made_nameless(&self, creation: &Creation<'_>, linkable: bool) -> Arc<dyn Node> {
        let plain = Metadata::new(Kind::Regular, creation.mode);
        let metadata = Metadata { links: 0, owner: creation.owner, ..plain };
        let mut head = Head::made(self.head.shared.clone(), metadata);
        head.linkable = linkable.into();
        Leaf::made(head, Kind::Regular, Body::empty_file(&self.head.shared))
    }

    pub(super) fn take_out(&self, name: &[u8], removal: Removal) -> Result<(), FileError> {
        self.head.settle();
        loop {
            let node = self.find(name)?;
            let directory = Directory::of(&*node);
            match (removal, directory) {
                (Removal::File, Some(_)) => return Err(FileError::IsDirectory),
                (Removal::Directory, None) => return Err(FileError::NotDirectory),
                (Removal::Directory, Some(directory)) => directory.check_hidden()?,
                (Removal::File, None) => {}
            }
            settle(&*node);
            let mut _released = None;
            let _tree = self.head.shared.tree.lock();
            if !self.has(name, &node) {
                continue;
            }
            _released = discard(&node)?;
            self.inside.lock().slots.hide(name);
            self.changed(-1, -i64::from(directory.is_some()));
            return Ok(());
        }
    }

    /// Refuses if anything below is not hidden here.
    pub(super) fn check_hidden(&self) -> Result<(), FileError> {
        let Some(lower) = &self.head.lower else { return Ok(()) };
        let mut result = Ok(());
        lower.list(&mut crate::Cursor::default(), &mut |listed| {
            let hidden = self.hides(listed.name);
            if !hidden {
                result = Err(FileError::NotEmpty);
            }
            hidden
        })?;
        result
    }

    /// Whether nothing is shown for a name that is below.
    fn hides(&self, name: &[u8]) -> bool {
        let inside = self.inside.lock();
        inside.removed || inside.slots.get(name).is_some_and(|slot| matches!(slot.held, Held::Nobody))
    }

    /// Takes a directory out of the tree in which everything below is hidden: that stays so but for what is made here.
    fn retire(&self) -> Result<(), FileError> {
        let mut inside = self.inside.lock();
        if inside.slots.has_kept() {
            return Err(FileError::NotEmpty);
        }
        inside.removed = true;
        drop(inside);
        let now = self.head.shared.surroundings.now();
        self.head.update(|known| (known.links, known.changed) = (0, now));
        Ok(())
    }
}

/// A node loses a name; a directory must be empty, of which what is below has been looked at. As [`Leaf::keep`].
pub(super) fn discard(node: &Arc<dyn Node>) -> Result<Option<Arc<Directory>>, FileError> {
    let released = match (Directory::of(&**node), Leaf::of(&**node)) {
        (Some(directory), _) => {
            directory.retire()?;
            directory.head.shared.recent.lock().forget(node);
            None
        }
        (None, Some(leaf)) => {
            leaf.head.shared.recent.lock().forget(node);
            leaf.lose_name()
        }
        (None, None) => return Err(FileError::CrossDevice),
    };
    Ok(released)
}
