//! A file or directory.

use alloc::{
    string::String,
    sync::{Arc, Weak},
};

use hadris_fs::{Name, NodeId, Permissions, SetAttr};
use page_cache::{Contents, Stamp};
use sync::Mutex;
use vfs::{Change, FileError, Kind, Metadata, Node, Place, seen::Seen};

use crate::{
    contents::Bytes,
    convert::{CLOSED, OPEN, file_error, moment},
    volume::Volume,
};

/// A file or directory, which the file system holds for us.
pub struct Item {
    pub volume: Arc<Volume>,
    /// All that somebody holds.
    nodes: Arc<Seen<NodeId, Self>>,
    pub id: NodeId,
    pub kind: Kind,
    /// What is in a file.
    pub contents: Option<Arc<Contents>>,
    place: Mutex<Option<Place>>,
    /// The name that it has had since its own was removed.
    away: Mutex<Option<String>>,
    pub myself: Weak<Self>,
}

impl Item {
    /// The root directory.
    pub fn root(volume: &Arc<Volume>) -> Result<Arc<Self>, FileError> {
        let root = volume.fat().root();
        Self::found(volume, &Arc::default(), root, None)
    }

    /// The node for what was found in this directory, and what the file system holds for us, at `place` if it is a
    /// directory.
    pub fn beside(&self, id: NodeId, place: Place) -> Result<Arc<Self>, FileError> {
        Self::found(&self.volume, &self.nodes, id, Some(place))
    }

    fn found(
        volume: &Arc<Volume>,
        nodes: &Arc<Seen<NodeId, Self>>,
        id: NodeId,
        place: Option<Place>,
    ) -> Result<Arc<Self>, FileError> {
        let known = volume.kind(id).inspect_err(|_| volume.forget(id))?;
        let item = Self::new(volume, nodes, id, known, place.clone());
        // A second one gives up its own hold as it goes, when nothing is locked.
        let Some(seen) = nodes.add(id, &item) else { return Ok(item) };
        drop(item);
        seen.stand_at(place);
        Ok(seen)
    }

    fn new(
        volume: &Arc<Volume>,
        nodes: &Arc<Seen<NodeId, Self>>,
        id: NodeId,
        (kind, length): (Kind, u64),
        place: Option<Place>,
    ) -> Arc<Self> {
        let contents = (kind == Kind::Regular).then(|| {
            let bytes = Bytes { volume: volume.clone(), id };
            Contents::new(volume.pool, Arc::new(bytes), Stamp { length, ..Stamp::default() })
        });
        Arc::new_cyclic(|myself| Self {
            volume: volume.clone(),
            nodes: nodes.clone(),
            id,
            kind,
            contents,
            place: Mutex::new(if kind == Kind::Directory { place } else { None }),
            away: Mutex::new(None),
            myself: myself.clone(),
        })
    }

    /// Whether `node` is of this file system.
    pub fn of<'a>(&self, node: &'a Arc<dyn Node>) -> Result<&'a Self, FileError> {
        let any: &dyn core::any::Any = &**node;
        let item: Option<&Self> = any.downcast_ref();
        item.filter(|item| Arc::ptr_eq(&item.volume, &self.volume)).ok_or(FileError::CrossDevice)
    }

    pub fn place(&self) -> Option<Place> {
        self.place.lock().clone()
    }

    /// It has been found or moved there. Not in itself, as only a damaged disk can say.
    pub fn stand_at(&self, place: Option<Place>) {
        let parent: Option<&dyn core::any::Any> = place.as_ref().map(|place| &*place.parent as _);
        let parent: Option<&Self> = parent.and_then(<dyn core::any::Any>::downcast_ref);
        if self.kind != Kind::Directory || parent.is_none_or(|parent| parent.is_below(self)) {
            return;
        }
        let old = core::mem::replace(&mut *self.place.lock(), place);
        drop(old);
    }

    /// Its name is gone.
    pub fn lose_place(&self) {
        if let Some(place) = &mut *self.place.lock() {
            place.removed = true;
        }
    }

    /// Its name was removed, and is this one until it goes.
    pub fn put_away(&self, name: String) {
        *self.away.lock() = Some(name);
    }

    pub fn contents(&self) -> Result<&Arc<Contents>, FileError> {
        self.contents.as_ref().ok_or(FileError::IsDirectory)
    }

    pub fn metadata(&self) -> Metadata {
        let mut metadata = self.volume.metadata(self.id).unwrap_or(Metadata::new(self.kind, 0));
        if self.away.lock().is_some() || self.place().is_some_and(|place| place.removed) {
            metadata.links = 0;
        }
        metadata
    }

    pub fn change(&self, change: &Change) -> Result<(), FileError> {
        let Metadata { owner, mode, .. } = self.metadata();
        let is_other = |wanted: Option<u32>, is: u32| wanted.is_some_and(|wanted| wanted != is);
        if is_other(change.user, owner.user) || is_other(change.group, owner.group) {
            return Err(FileError::NotPermitted);
        }
        let mut wanted = SetAttr::new();
        match change.mode.filter(|&wanted| wanted != mode) {
            None => {}
            Some(mode @ (OPEN | CLOSED)) => {
                let usual = if self.kind == Kind::Directory { 0o755 } else { 0o644 };
                wanted = wanted.with_permissions(Permissions::new(usual & (mode | !0o222)));
            }
            Some(_) => return Err(FileError::NotPermitted),
        }
        if let Some(time) = change.modified {
            wanted = wanted.with_modified(moment(time));
        }
        if let Some(time) = change.accessed {
            wanted = wanted.with_accessed(moment(time));
        }
        self.volume.fat().setattr(self.id, &wanted).map_err(|error| file_error(&error))
    }

    /// Everything about it, and about all others, is brought to the disk.
    pub fn sync(&self, metadata: bool) -> Result<(), FileError> {
        match &self.contents {
            Some(contents) => contents.sync(metadata),
            None => self.volume.fat().sync().map_err(|error| file_error(&error)),
        }
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        vfs::upwards::let_go(self.place.lock().take(), |above: &mut Self| above.place.lock().take());
        // Nobody is left who could be told of an error: fsync(2) and close(2) have had their chance.
        let away = self.away.lock().take();
        match (&self.contents, away) {
            (_, Some(name)) => {
                let mut fat = self.volume.fat();
                let root = fat.root();
                let _ = fat.unlink(root, Name::new(name.as_bytes()));
            }
            (Some(contents), None) => {
                let _ = contents.flush(0..u64::MAX);
                // Writes the length to its directory.
                let _ = self.volume.fat().close(self.id);
            }
            _ => {}
        }
        self.nodes.remove(&self.id, self);
        self.volume.forget(self.id);
    }
}
