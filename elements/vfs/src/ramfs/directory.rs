//! Directories.

use alloc::{
    borrow::Cow,
    sync::{Arc, Weak},
};
use core::any::Any;

use sync::{Mutex, MutexGuard};

use super::{
    Contents, File, Shared,
    base::{Base, by_base},
    entries::Entries,
    link::Link,
    special::Special,
};
use crate::{
    Change, Creation, Cursor, FileError, Kind, Listed, MakeKind, Metadata, NAME_LENGTH, Name, Node, Owner, Place,
    Removal, RenameMode, Time,
};

/// A directory.
pub struct Directory {
    pub(super) base: Base,
    myself: Weak<Self>,
    inside: Mutex<Inside>,
}

pub(super) struct Inside {
    pub(super) entries: Entries<Arc<dyn Node>>,
    /// The directory above and the name there.
    pub(super) place: Option<(Weak<Directory>, Name)>,
    /// It has lost its name: nothing is made in it any more.
    pub(super) removed: bool,
    /// Makes the first entries when somebody looks inside.
    fill: Option<fn(&mut Filling<'_>)>,
}

/// A directory while its first entries are made.
pub struct Filling<'a> {
    directory: &'a Directory,
    entries: &'a mut Entries<Arc<dyn Node>>,
}

impl Directory {
    #[inline(never)]
    pub(super) fn new(base: Base) -> Arc<Self> {
        let inside = Inside { entries: Entries::default(), place: None, removed: false, fill: None };
        Arc::new_cyclic(|myself| Self { base, myself: myself.clone(), inside: Mutex::new(inside) })
    }

    /// The node as this file system's directory, if it is one.
    #[must_use]
    #[inline(never)]
    pub fn of(node: &dyn Node) -> Option<&Self> {
        let node: &dyn Any = node;
        node.downcast_ref()
    }

    pub(super) const fn shared(&self) -> &Arc<Shared> {
        &self.base.shared
    }

    /// Access to the entries; makes the first ones if that is still to do.
    #[inline(never)]
    pub(super) fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside_in_line()
    }

    /// As [`Directory::inside`], for the one place that is in a hurry.
    #[inline(always)]
    pub(super) fn inside_in_line(&self) -> MutexGuard<'_, Inside> {
        let mut inside = self.inside.lock_in_line();
        if inside.fill.is_some() {
            self.fill(&mut inside);
        }
        inside
    }

    #[cold]
    fn fill(&self, inside: &mut Inside) {
        if let Some(fill) = inside.fill.take() {
            fill(&mut Filling { directory: self, entries: &mut inside.entries });
        }
    }

    /// The directory of that name, made with `mode` if there is nothing. What `fill` makes later does not hide what is
    /// there by then.
    pub fn provide(&self, name: &'static [u8], mode: u32, fill: Option<fn(&mut Filling<'_>)>) -> Option<Arc<Self>> {
        let mut inside = self.inside();
        let directory = match inside.entries.get(name) {
            Some(node) => Self::of(&**node)?.myself.upgrade()?,
            None => {
                let made = Self::new(Base::new(self.shared(), mode, Owner::default(), 2));
                self.adopt(&mut inside.entries, Name::archived(name), made.clone());
                made
            }
        };
        if let Some(fill) = fill {
            directory.fill_later(fill);
        }
        Some(directory)
    }

    /// Has `fill` make entries when somebody looks inside.
    pub fn fill_later(&self, fill: fn(&mut Filling<'_>)) {
        self.inside.lock().fill = Some(fill);
    }

    /// Enters a node of ours, made just now. Returns what had the name.
    pub(super) fn adopt(
        &self,
        entries: &mut Entries<Arc<dyn Node>>,
        name: Name,
        node: Arc<dyn Node>,
    ) -> Option<Arc<dyn Node>> {
        self.place_directory(&*node, &name);
        entries.insert(name, node)
    }

    pub(super) fn get(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        self.inside().entries.get(name).cloned().ok_or(FileError::NotFound)
    }

    /// Whether this is `other` or lies in it.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        if core::ptr::eq(self, other) {
            return true;
        }
        let mut above = self.above();
        while let Some(directory) = above {
            if core::ptr::eq(Arc::as_ptr(&directory), other) {
                return true;
            }
            above = directory.above();
        }
        false
    }

    fn above(&self) -> Option<Arc<Self>> {
        self.inside.lock().place.as_ref()?.0.upgrade()
    }

    /// If `node` is a directory, it stands here from now on, with that name; says so.
    pub(super) fn place_directory(&self, node: &dyn Node, name: &Name) -> bool {
        let Some(directory) = Self::of(node) else { return false };
        directory.inside.lock().place = Some((self.myself.clone(), name.clone()));
        self.base.add_subdirectory();
        true
    }

    /// Takes an empty directory out of the tree.
    pub(super) fn retire(&self) -> Result<(), FileError> {
        let mut inside = self.inside();
        if inside.entries.count() > 0 {
            return Err(FileError::NotEmpty);
        }
        inside.removed = true;
        drop(inside);
        self.base.drop_links(2);
        Ok(())
    }

    fn make(&self, creation: &Creation<'_>, now: Time) -> Arc<dyn Node> {
        let links = if creation.kind == MakeKind::Directory { 2 } else { 1 };
        let base = Base::old(self.shared(), creation.mode, creation.owner, links, now);
        let contents = match creation.kind {
            MakeKind::File => Contents::File(&[], 0),
            MakeKind::Directory => Contents::Directory,
            MakeKind::Link(target) => Contents::Link(Cow::Owned(crate::copied(target))),
            MakeKind::Special(kind, number) => Contents::Special(kind, number),
        };
        contents.into_node(base)
    }
}

// With the tree locked.
impl Directory {
    #[inline]
    fn remove_file(&self, name: &[u8]) -> Result<(), FileError> {
        let now = self.base.now();
        // It goes after the lock, if it goes.
        let _gone;
        {
            let mut inside = self.inside_in_line();
            let (spot, node) = inside.entries.locate(name).ok_or(FileError::NotFound)?;
            // Directories alone do not count on it.
            base_of(&**node).ok_or(FileError::IsDirectory)?.drop_links_at(1, now);
            _gone = inside.entries.take(spot);
        }
        self.base.touch_at(now);
        Ok(())
    }

    fn remove_directory(&self, name: &[u8]) -> Result<(), FileError> {
        let node = self.get(name)?;
        Self::of(&*node).ok_or(FileError::NotDirectory)?.retire()?;
        self.base.drop_links(1);
        self.inside().entries.remove(name);
        self.base.touch();
        Ok(())
    }
}

impl Filling<'_> {
    /// Makes an entry, unless there is one of that name.
    pub fn add(&mut self, name: &'static [u8], kind: MakeKind<'_>, mode: u32) {
        if self.entries.get(name).is_none() {
            let node =
                self.directory.make(&Creation { kind, mode, owner: Owner::default() }, self.directory.base.now());
            self.directory.adopt(self.entries, Name::archived(name), node);
        }
    }

    /// Makes a file with these contents, unless there is an entry of that name. Of contents that there is no memory for
    /// it has the beginning.
    pub fn add_file(&mut self, name: &'static [u8], contents: &[u8], mode: u32) {
        self.add(name, MakeKind::File, mode);
        let made: Option<&File> = self.entries.get(name).and_then(|node| (&**node as &dyn Any).downcast_ref());
        if let Some(file) = made.filter(|file| file.length() == 0) {
            let _ = file.write_bytes(None, contents);
        }
    }
}

/// What hard links count on.
pub(super) fn base_of(node: &dyn Node) -> Option<&Base> {
    let node: &dyn Any = node;
    if let Some(file) = node.downcast_ref::<File>() {
        return Some(&file.base);
    }
    if let Some(link) = node.downcast_ref::<Link>() {
        return Some(&link.base);
    }
    node.downcast_ref::<Special>().map(|special| &special.base)
}

/// A node that is no directory has one name less.
pub(super) fn forget_name(node: &dyn Node) {
    if let Some(base) = base_of(node) {
        base.drop_links(1);
    }
}

fn checked(name: &[u8]) -> Result<Name, FileError> {
    if name.len() > NAME_LENGTH { Err(FileError::NameTooLong) } else { Ok(name.into()) }
}

impl Node for Directory {
    fn kind(&self) -> Kind {
        Kind::Directory
    }

    fn is_settled(&self) -> bool {
        true
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = self.base.metadata(Kind::Directory);
        // As tmpfs: an entry counts 20 bytes, and so do `.` and `..`.
        metadata.size = (self.inside.lock_in_line().entries.count() as u64 + 2) * 20;
        metadata
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.base.change(change);
        Ok(())
    }

    by_base!();

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        self.inside_in_line().entries.get(name).cloned().ok_or(FileError::NotFound)
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        self.base.read();
        let inside = self.inside();
        let last = inside
            .entries
            .visit(&cursor.after, &mut |name, node| visit(Listed { name, inode: node.inode(), kind: node.kind() }));
        if let Some(last) = last {
            cursor.after = crate::copied(last);
        }
        Ok(())
    }

    fn place(&self) -> Option<Place> {
        let inside = self.inside.lock();
        let (parent, name) = inside.place.clone()?;
        Some(Place { parent: parent.upgrade()?, name: name.into(), removed: inside.removed })
    }

    fn create(&self, name: &[u8], creation: &Creation<'_>) -> Result<Arc<dyn Node>, FileError> {
        let (name, now) = (checked(name)?, self.base.now());
        let mut inside = self.inside_in_line();
        if inside.removed {
            return Err(FileError::NotFound);
        }
        let spot = inside.entries.vacancy(&name).ok_or(FileError::Exists)?;
        let node = self.make(creation, now);
        if creation.kind == MakeKind::Directory {
            self.place_directory(&*node, &name);
        }
        inside.entries.fill(spot, name, node.clone());
        drop(inside);
        self.base.touch_at(now);
        Ok(node)
    }

    fn nameless(&self, creation: &Creation<'_>, linkable: bool) -> Result<Arc<dyn Node>, FileError> {
        let base = Base::new(self.shared(), creation.mode, creation.owner, 0);
        if linkable {
            base.make_linkable();
        }
        Ok(Contents::File(&[], 0).into_node(base))
    }

    fn link(&self, name: &[u8], node: &Arc<dyn Node>) -> Result<(), FileError> {
        let base = base_of(&**node).filter(|base| Arc::ptr_eq(&base.shared, self.shared()));
        let base = base.ok_or(FileError::CrossDevice)?;
        let name = checked(name)?;
        let mut inside = self.inside();
        if inside.removed {
            return Err(FileError::NotFound);
        }
        if inside.entries.get(&name).is_some() {
            return Err(FileError::Exists);
        }
        if !base.add_link() {
            return Err(FileError::NotFound);
        }
        inside.entries.insert(name, node.clone());
        drop(inside);
        self.base.touch();
        Ok(())
    }

    fn remove(&self, name: &[u8], removal: Removal) -> Result<(), FileError> {
        let _tree = self.shared().tree.lock_in_line();
        match removal {
            Removal::File => self.remove_file(name),
            Removal::Directory => self.remove_directory(name),
        }
    }

    fn rename(
        &self,
        name: &[u8],
        directory: &Arc<dyn Node>,
        new_name: &[u8],
        mode: RenameMode,
    ) -> Result<(), FileError> {
        let target = Self::of(&**directory).filter(|target| Arc::ptr_eq(target.shared(), self.shared()));
        let target = target.ok_or(FileError::CrossDevice)?;
        super::rename::rename(self, name, target, checked(new_name)?, mode)
    }
}
