//! Directories: finding, making, removing and renaming entries.

use alloc::sync::Arc;

use vfs::{Change, Creation, FileError, MakeKind, NAME_LENGTH, Removal, RenameMode};

use crate::{fid::Fid, item::Item, requests::Mode};

fn check(name: &[u8]) -> Result<(), FileError> {
    if name.len() > NAME_LENGTH { Err(FileError::NameTooLong) } else { Ok(()) }
}

impl Item {
    /// The entry of that name.
    pub fn lookup(&self, name: &[u8]) -> Result<Arc<Self>, FileError> {
        check(name)?;
        let directory = self.directory()?;
        let known = directory.children.lock().get(name);
        if let Some(known) = known {
            if known.is_still_there()? {
                return Ok(known);
            }
            directory.children.lock().remove(name);
        }
        let fid = self.share.client.walk(&self.fid(), Some(name))?;
        self.found(fid, name)
    }

    /// The node of an entry that `fid` was just walked to.
    fn found(&self, fid: Arc<Fid>, name: &[u8]) -> Result<Arc<Self>, FileError> {
        let parent = self.myself.upgrade().ok_or(FileError::NotFound)?;
        let attributes = self.share.attributes(&fid)?;
        let item = parent.child(fid, attributes, name);
        self.directory()?.children.lock().insert(name, &item);
        Ok(item)
    }

    /// Makes an entry.
    pub fn create(&self, name: &[u8], creation: &Creation<'_>) -> Result<Arc<Self>, FileError> {
        check(name)?;
        let directory = self.directory()?;
        if self.is_removed() {
            return Err(FileError::NotFound);
        }
        let client = &self.share.client;
        let fid = self.fid();
        let opened = if creation.kind == MakeKind::File {
            let file = client.walk(&fid, None)?;
            client.create(&file, name, creation)?;
            Some(file)
        } else {
            self.share.make_entry(&fid, name, creation)?;
            None
        };
        self.outdate();
        directory.children.lock().remove(name);
        let item = self.found(client.walk(&fid, Some(name))?, name)?;
        if let (Some(opened), Some(file)) = (opened, item.file()) {
            file.remote.keep_made(opened);
        }
        item.give_to(creation);
        Ok(item)
    }

    /// A server makes entries as whoever attached, which is root.
    fn give_to(&self, creation: &Creation<'_>) {
        let user = creation.owner.user;
        let is_theirs = self.attributes().is_ok_and(|attributes| attributes.metadata.owner.user == user);
        if !is_theirs {
            // One that runs without rights keeps what it makes.
            let _ = self.change(&Change { user: Some(user), ..Change::default() });
        }
    }

    /// Gives a file one more name.
    pub fn link(&self, name: &[u8], file: &Self) -> Result<(), FileError> {
        check(name)?;
        let directory = self.directory()?;
        if !Arc::ptr_eq(&self.share, &file.share) {
            return Err(FileError::CrossDevice);
        }
        if file.is_removed() {
            return Err(FileError::NotFound);
        }
        self.share.client.link(&self.fid(), name, &file.fid())?;
        self.outdate();
        file.outdate();
        if let Some(file) = file.myself.upgrade() {
            directory.children.lock().insert(name, &file);
        }
        Ok(())
    }

    /// Removes an entry.
    pub fn remove(&self, name: &[u8], removal: Removal) -> Result<(), FileError> {
        check(name)?;
        let directory = self.directory()?;
        // How many names it has is to be known before.
        let known = directory.children.lock().get(name);
        let known = known.filter(|known| known.is_still_there().unwrap_or(false));
        self.share.client.unlink(&self.fid(), name, removal)?;
        self.outdate();
        directory.children.lock().remove(name);
        if let Some(known) = known {
            known.lose_name();
        }
        Ok(())
    }

    /// Moves the entry `name` to `new_name` in `to`.
    pub fn rename(&self, name: &[u8], to: &Self, new_name: &[u8], mode: RenameMode) -> Result<(), FileError> {
        check(new_name)?;
        let (from_here, to_there) = (self.directory()?, to.directory()?);
        if !Arc::ptr_eq(&self.share, &to.share) {
            return Err(FileError::CrossDevice);
        }
        match mode {
            RenameMode::Replace => {}
            RenameMode::Keep if to.lookup(new_name).is_ok() => return Err(FileError::Exists),
            RenameMode::Keep => {}
            // The protocol has no word for it.
            RenameMode::Exchange => return Err(FileError::Invalid),
        }
        let moved = from_here.children.lock().get(name);
        let replaced = to_there.children.lock().get(new_name);
        if let (Some(moved), Some(replaced)) = (&moved, &replaced)
            && Arc::ptr_eq(moved, replaced)
        {
            // Two names of one file: nothing happens (rename(2)).
            return self.share.client.rename(&self.fid(), name, &to.fid(), new_name);
        }
        self.share.client.rename(&self.fid(), name, &to.fid(), new_name)?;
        self.outdate();
        to.outdate();
        from_here.children.lock().remove(name);
        to_there.children.lock().remove(new_name);
        if let Some(replaced) = replaced {
            replaced.lose_name();
        }
        if let Some(moved) = moved {
            moved.moved(to, new_name);
            to_there.children.lock().insert(new_name, &moved);
        }
        Ok(())
    }

    /// This has another name now.
    fn moved(&self, to: &Self, name: &[u8]) {
        self.outdate();
        if let Some(parent) = to.myself.upgrade() {
            self.move_to(&parent, name);
        }
    }

    /// Brings a directory's entries to where they stay.
    pub fn sync_directory(&self, metadata: bool) -> Result<(), FileError> {
        if self.directory().is_err() {
            return Ok(());
        }
        let fid = self.share.client.walk(&self.fid(), None)?;
        self.share.client.open(&fid, Mode::Read)?;
        self.share.client.sync(&fid, metadata)
    }
}
