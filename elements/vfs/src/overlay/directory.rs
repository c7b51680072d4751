//! Directories.

use alloc::sync::{Arc, Weak};
use core::any::Any;

use sync::Mutex;

use super::{
    head::Head,
    slots::{Known, Slots},
};
use crate::{
    Change, Creation, Cursor, Extended, FileError, FileSystem, Identity, Kind, Listed, Metadata, Name, Node, Place,
    Removal, RenameMode,
};

/// A directory.
pub(super) struct Directory {
    pub(super) head: Head,
    pub(super) myself: Weak<Self>,
    pub(super) inside: Mutex<Inside>,
}

pub(super) struct Inside {
    pub(super) slots: Slots,
    /// The directory above and the name there; none for the root.
    pub(super) place: Option<(Above, Name)>,
    /// It has lost its name: nothing is in it, and nothing is made in it any more.
    pub(super) removed: bool,
}

/// The directory above.
pub(super) enum Above {
    /// It does not keep this one, so this one holds it.
    Held(Arc<Directory>),
    /// It keeps this one.
    Keeps(Weak<Directory>),
}

impl Above {
    pub(super) fn get(&self) -> Option<Arc<Directory>> {
        match self {
            Self::Held(directory) => Some(directory.clone()),
            Self::Keeps(directory) => directory.upgrade(),
        }
    }
}

impl Directory {
    pub(super) fn new(head: Head, place: Option<(Above, Name)>) -> Arc<Self> {
        let inside = Mutex::new(Inside { slots: Slots::default(), place, removed: false });
        Arc::new_cyclic(|myself| Self { head, myself: myself.clone(), inside })
    }

    /// The node as an overlay's directory, if it is one.
    pub(super) fn of(node: &dyn Node) -> Option<&Self> {
        let node: &dyn Any = node;
        node.downcast_ref()
    }

    /// What is known about a name without asking below.
    pub(super) fn known(&self, name: &[u8]) -> Known {
        let inside = self.inside.lock();
        if inside.removed {
            return Known::Nothing(false);
        }
        match inside.slots.find(name) {
            Known::Ask if self.head.lower.is_none() => Known::Nothing(false),
            known => known,
        }
    }

    /// Whether `node` has that name here.
    pub(super) fn has(&self, name: &[u8], node: &Arc<dyn Node>) -> bool {
        self.inside.lock().slots.has(name, node)
    }

    /// The directory above, if there is one.
    pub(super) fn above(&self) -> Option<Arc<Self>> {
        self.inside.lock().place.as_ref()?.0.get()
    }

    /// Whether this is `other` or lies in it.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let mut at = self.myself.upgrade();
        while let Some(directory) = at {
            if core::ptr::eq(Arc::as_ptr(&directory), other) {
                return true;
            }
            at = directory.above();
        }
        false
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // One by one, not each in its child's end: a stack has room for only so many.
        let mut place = self.inside.lock().place.take();
        while let Some((Above::Held(parent), _)) = place {
            let Some(last) = Arc::into_inner(parent) else { return };
            place = last.inside.lock().place.take();
        }
    }
}

impl Node for Directory {
    fn kind(&self) -> Kind {
        Kind::Directory
    }

    /// What is below does not change, as far as anything is promised.
    fn is_settled(&self) -> bool {
        true
    }

    fn metadata(&self) -> Metadata {
        self.head.metadata()
    }

    fn identity(&self) -> Identity {
        self.head.identity()
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.claim();
        self.head.change(change);
        Ok(())
    }

    fn extended(&self) -> Option<&Mutex<Extended>> {
        Some(&self.head.extended)
    }

    fn file_system(&self) -> FileSystem {
        self.head.shared.file_system()
    }

    fn system(&self) -> usize {
        self.head.system()
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        self.find(name)
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        self.head.read();
        self.list_both(cursor, visit)
    }

    fn place(&self) -> Option<Place> {
        let inside = self.inside.lock();
        let (above, name) = inside.place.as_ref()?;
        Some(Place { parent: above.get()?, name: name.clone().into(), removed: inside.removed })
    }

    fn create(&self, name: &[u8], creation: &Creation<'_>) -> Result<Arc<dyn Node>, FileError> {
        self.make(name, creation)
    }

    fn nameless(&self, creation: &Creation<'_>, linkable: bool) -> Result<Arc<dyn Node>, FileError> {
        Ok(self.made_nameless(creation, linkable))
    }

    fn link(&self, name: &[u8], node: &Arc<dyn Node>) -> Result<(), FileError> {
        self.add_name(name, node)
    }

    fn remove(&self, name: &[u8], removal: Removal) -> Result<(), FileError> {
        self.take_out(name, removal)
    }

    fn rename(
        &self,
        name: &[u8],
        directory: &Arc<dyn Node>,
        new_name: &[u8],
        mode: RenameMode,
    ) -> Result<(), FileError> {
        let target = Self::of(&**directory).filter(|target| target.system() == self.system());
        super::rename::rename(self, name, target.ok_or(FileError::CrossDevice)?, new_name, mode)
    }
}
