//! Names in a directory: finding, making, removing and moving them.

use alloc::{borrow::Cow, string::String, sync::Arc};

use hadris_fs::{DirCursor, Name, SetAttr};
use vfs::{Creation, Cursor, FileError, Kind, Listed, MakeKind, Node, Place, Removal, RenameMode};

use crate::{
    convert::{file_error, kind},
    item::Item,
    volume::REMOVED,
};

impl Item {
    fn check_directory(&self) -> Result<(), FileError> {
        if self.kind == Kind::Directory { Ok(()) } else { Err(FileError::NotDirectory) }
    }

    fn place_of(&self, name: &[u8]) -> Result<Place, FileError> {
        let parent = self.myself.upgrade().ok_or(FileError::NotFound)?;
        Ok(Place { parent, name: Cow::Owned(name.to_vec()), removed: false })
    }

    /// Whether it is a name of ours, which nobody sees.
    fn is_hidden(&self, name: &[u8]) -> bool {
        name.starts_with(REMOVED.as_bytes()) && self.volume.is_root(self.id)
    }

    pub fn find(&self, name: &[u8]) -> Result<Arc<Self>, FileError> {
        self.check_directory()?;
        if self.is_hidden(name) {
            return Err(FileError::NotFound);
        }
        let found = self.volume.fat().lookup(self.id, Name::new(name)).map_err(|error| file_error(&error));
        let id = match found {
            // What cannot be a name here is no file's.
            Err(FileError::Invalid) => return Err(FileError::NotFound),
            found => found?,
        };
        self.beside(id, self.place_of(name)?)
    }

    pub fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        self.check_directory()?;
        loop {
            let from = DirCursor::from_raw(cursor.cookie);
            let entry = self.volume.fat().readdir(self.id, from).map_err(|error| file_error(&error))?;
            let Some(entry) = entry else { return Ok(()) };
            let name = entry.name().as_bytes();
            let listed = Listed { name, inode: entry.node().get(), kind: kind(entry.file_type()) };
            if !self.is_hidden(name) && !visit(listed) {
                return Ok(());
            }
            let next = entry.next_cursor().into_raw();
            // A directory that runs in circles ends here.
            if next <= cursor.cookie {
                return Ok(());
            }
            cursor.cookie = next;
        }
    }

    pub fn make(&self, name: &[u8], creation: &Creation<'_>) -> Result<Arc<Self>, FileError> {
        self.check_directory()?;
        if self.is_hidden(name) {
            return Err(FileError::Denied);
        }
        let (wanted, name) = (SetAttr::new(), Name::new(name));
        let made = match creation.kind {
            MakeKind::File => self.volume.fat().create(self.id, name, &wanted),
            MakeKind::Directory => self.volume.fat().mkdir(self.id, name, &wanted),
            MakeKind::Link(_) | MakeKind::Special(..) => return Err(FileError::NotPermitted),
        };
        let id = made.map_err(|error| file_error(&error))?;
        self.beside(id, self.place_of(name.as_bytes())?)
    }

    pub fn remove_entry(&self, name: &[u8], removal: Removal) -> Result<(), FileError> {
        let item = self.find(name)?;
        match (removal, item.kind) {
            (Removal::Directory, Kind::Directory) => {
                self.volume.fat().rmdir(self.id, Name::new(name)).map_err(|error| file_error(&error))?;
                item.lose_place();
                Ok(())
            }
            (Removal::Directory, _) => Err(FileError::NotDirectory),
            (Removal::File, Kind::Directory) => Err(FileError::IsDirectory),
            (Removal::File, _) => self.remove_file(&item, name),
        }
    }

    /// Removes a file's name; one that somebody holds lives on.
    fn remove_file(&self, item: &Arc<Self>, name: &[u8]) -> Result<(), FileError> {
        if Arc::strong_count(item) > 1 {
            let away: String = self.volume.put_away(self.id, Name::new(name))?;
            item.put_away(away);
            return Ok(());
        }
        self.volume.fat().unlink(self.id, Name::new(name)).map_err(|error| file_error(&error))
    }

    pub fn move_entry(
        &self,
        name: &[u8],
        directory: &Arc<dyn Node>,
        new_name: &[u8],
        mode: RenameMode,
    ) -> Result<(), FileError> {
        let to = self.of(directory)?;
        to.check_directory()?;
        if mode == RenameMode::Exchange || to.is_hidden(new_name) {
            return Err(FileError::Invalid);
        }
        let item = self.find(name)?;
        if item.kind == Kind::Directory && to.is_below(&item) {
            return Err(FileError::Invalid);
        }
        if let Ok(there) = to.find(new_name)
            && there.id != item.id
        {
            to.make_room(&there, new_name, item.kind, mode)?;
        }
        let (from, into) = (Name::new(name), Name::new(new_name));
        let how = hadris_fs::RenameMode::NoReplace;
        let renamed = self.volume.fat().rename(self.id, from, to.id, into, how);
        renamed.map_err(|error| file_error(&error))?;
        item.stand_at(Some(to.place_of(new_name)?));
        Ok(())
    }

    /// Removes what has a name that another is to have.
    fn make_room(&self, there: &Arc<Self>, name: &[u8], for_a: Kind, mode: RenameMode) -> Result<(), FileError> {
        match (mode, for_a, there.kind) {
            (RenameMode::Keep, ..) => Err(FileError::Exists),
            (_, Kind::Directory, Kind::Directory) => self.remove_entry(name, Removal::Directory),
            (_, Kind::Directory, _) => Err(FileError::NotDirectory),
            (_, _, Kind::Directory) => Err(FileError::IsDirectory),
            _ => self.remove_entry(name, Removal::File),
        }
    }

    /// Whether it is that directory or stands in it.
    pub fn is_below(&self, directory: &Self) -> bool {
        let mut place = self.place();
        let mut below = self.id == directory.id;
        while let Some(at) = place.take().filter(|_| !below) {
            let any: &dyn core::any::Any = &*at.parent;
            let Some(parent) = any.downcast_ref::<Self>() else { break };
            below = parent.id == directory.id;
            place = parent.place();
        }
        below
    }
}
