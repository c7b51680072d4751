//! A node: what all kinds have in common.

use alloc::{
    collections::BTreeMap,
    sync::{Arc, Weak},
    vec::Vec,
};
use core::sync::atomic::{AtomicBool, Ordering};

use page_cache::Contents;
use sync::{Mutex, Once};
use vfs::{FileError, Kind, Metadata, Place, Time, pipe::Pipe};

use crate::{attributes::Attributes, fid::Fid, known::Known, remote::Remote, share::Share};

/// A file, directory, link or special file of a share.
pub struct Item {
    pub share: Arc<Share<Self>>,
    pub myself: Weak<Self>,
    pub body: Body,
    kind: Kind,
    known: Mutex<Known>,
    /// What stands for it at the server, by the name it was last walked to.
    pub fid: Arc<Mutex<Arc<Fid>>>,
    position: Mutex<Position>,
    used: AtomicBool,
}

/// Where a directory stands.
#[derive(Default)]
pub enum Position {
    /// Not in another one of this share.
    #[default]
    Nowhere,
    /// In a directory, by a name, which may be gone.
    In(Arc<Item>, Vec<u8>, bool),
}

pub enum Body {
    File(File),
    Directory(Directory),
    /// Where a link leads, and the time of the link's last change by which that is known.
    Link(Mutex<Option<(Time, Vec<u8>)>>),
    /// The bytes of a named pipe, which are ours alone.
    Special(Once<Arc<Pipe>>),
}

pub struct File {
    pub contents: Arc<Contents>,
    pub remote: Arc<Remote>,
}

#[derive(Default)]
pub struct Directory {
    pub children: Mutex<Children>,
    /// Open, while somebody lists it.
    pub opened: Mutex<Option<Arc<Fid>>>,
}

/// Entries that somebody holds or that are remembered.
#[derive(Default)]
pub struct Children {
    nodes: BTreeMap<Vec<u8>, Weak<Item>>,
    /// At so many, those that have gone are left out.
    limit: usize,
}

impl Children {
    pub fn get(&self, name: &[u8]) -> Option<Arc<Item>> {
        self.nodes.get(name)?.upgrade()
    }

    pub fn insert(&mut self, name: &[u8], item: &Arc<Item>) {
        const FEW: usize = 64;
        if self.nodes.len() >= self.limit.max(FEW) {
            self.nodes.retain(|_, item| item.strong_count() > 0);
            self.limit = self.nodes.len() * 2;
        }
        self.nodes.insert(name.to_vec(), Arc::downgrade(item));
    }

    pub fn remove(&mut self, name: &[u8]) -> Option<Arc<Item>> {
        self.nodes.remove(name)?.upgrade()
    }
}

impl Item {
    pub fn new(share: &Arc<Share<Self>>, fid: Arc<Fid>, attributes: Attributes) -> Arc<Self> {
        let kind = attributes.metadata.kind;
        let fid = Arc::new(Mutex::new(fid));
        let body = match kind {
            Kind::Directory => Body::Directory(Directory::default()),
            Kind::Link => Body::Link(Mutex::new(None)),
            Kind::Regular => {
                let remote = Arc::new(Remote::new(share.client.clone(), fid.clone(), attributes.qid.path));
                Body::File(File {
                    contents: Contents::new(share.world.pool, remote.clone(), attributes.stamp()),
                    remote,
                })
            }
            _ => Body::Special(Once::new()),
        };
        let known = Mutex::new(Known::new(attributes, share.now()));
        Arc::new_cyclic(|myself| Self {
            share: share.clone(),
            myself: myself.clone(),
            body,
            kind,
            known,
            fid,
            position: Mutex::default(),
            used: AtomicBool::new(false),
        })
    }

    pub const fn kind(&self) -> Kind {
        self.kind
    }

    pub fn number(&self) -> u64 {
        self.known.lock().attributes.qid.path
    }

    /// Whether attributes that have just come are of this node.
    pub fn is(&self, attributes: &Attributes) -> bool {
        let known = self.known.lock();
        known.attributes.qid.path == attributes.qid.path && self.kind == attributes.metadata.kind && !known.removed
    }

    /// A walk has led here once more.
    pub fn found_again(&self, fid: Arc<Fid>, attributes: Attributes) {
        self.known.lock().hear(attributes, self.share.now());
        let old = core::mem::replace(&mut *self.fid.lock(), fid);
        // Behind the lock: its end asks the server.
        drop(old);
    }

    pub fn fid(&self) -> Arc<Fid> {
        self.fid.lock().clone()
    }

    pub fn file(&self) -> Option<&File> {
        if let Body::File(file) = &self.body { Some(file) } else { None }
    }

    pub fn directory(&self) -> Result<&Directory, FileError> {
        if let Body::Directory(directory) = &self.body { Ok(directory) } else { Err(FileError::NotDirectory) }
    }

    /// The attributes, asked for if they are not fresh.
    pub fn attributes(&self) -> Result<Attributes, FileError> {
        let now = self.share.now();
        {
            let known = self.known.lock();
            if known.removed || known.is_fresh(now) {
                return Ok(known.attributes);
            }
        }
        self.ask()
    }

    /// Asks for the attributes.
    pub fn ask(&self) -> Result<Attributes, FileError> {
        let attributes = self.share.attributes(&self.fid())?;
        if !self.is(&attributes) {
            return Err(FileError::NotFound);
        }
        self.known.lock().hear(attributes, self.share.now());
        Ok(attributes)
    }

    pub fn metadata(&self) -> Metadata {
        // A node that cannot be asked about any more is as it was.
        let mut metadata = self.attributes().unwrap_or_else(|_| self.known.lock().attributes).metadata;
        if let Some(file) = self.file()
            && self.is_removed()
        {
            metadata.size = file.contents.length();
        }
        metadata.device = self.share.world.device;
        metadata
    }

    /// Whether the name that this node was found by still leads to it, as far as that needs to be asked.
    pub fn is_still_there(&self) -> Result<bool, FileError> {
        let now = self.share.now();
        let trusted = {
            let mut known = self.known.lock();
            if known.metadata().links > 1 && self.kind != Kind::Directory {
                // What stands for it at the server may be another of its names.
                return Ok(false);
            }
            let stays = matches!(self.kind, Kind::Directory | Kind::Link);
            known.is_fresh(now) || stays && known.is_trusted(now)
        };
        self.used.store(true, Ordering::Relaxed);
        if trusted {
            return Ok(true);
        }
        match self.ask() {
            Ok(_) => Ok(true),
            Err(FileError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub fn take_used(&self) -> bool {
        self.used.swap(false, Ordering::Relaxed)
    }

    pub fn outdate(&self) {
        self.known.lock().outdate();
    }

    pub fn is_removed(&self) -> bool {
        self.known.lock().removed
    }

    /// One of its names is gone.
    pub fn lose_name(&self) {
        let last = {
            let mut known = self.known.lock();
            let metadata = known.metadata();
            let last = metadata.links <= 1 || metadata.kind == Kind::Directory;
            metadata.links = if last { 0 } else { metadata.links - 1 };
            known.removed = last;
            // It may be the one that stands for the node at the server: the next look finds another.
            known.lose();
            last
        };
        if !last {
            return;
        }
        if let Some(file) = self.file() {
            file.remote.cut_loose(file.contents.length());
        }
        if matches!(self.body, Body::Special(_)) {
            self.share.stand_ins.remove(self.number());
        }
        if let Position::In(_, _, removed) = &mut *self.position.lock() {
            *removed = true;
        }
        self.share.forget(self.number(), self);
    }

    /// It stands in `parent` from now on; where it stood.
    #[must_use]
    pub fn stand_in(&self, parent: &Arc<Self>, name: &[u8]) -> Position {
        core::mem::replace(&mut *self.position.lock(), Position::In(parent.clone(), name.to_vec(), false))
    }

    pub fn place(&self) -> Option<Place> {
        match &*self.position.lock() {
            Position::Nowhere => None,
            Position::In(parent, name, removed) => {
                Some(Place { parent: parent.clone(), name: name.clone().into(), removed: *removed })
            }
        }
    }

    fn parent(&self) -> Option<Arc<Self>> {
        if let Position::In(parent, ..) = &*self.position.lock() { Some(parent.clone()) } else { None }
    }

    /// Whether `other` is this directory or lies in it. A server may claim that a directory is in itself.
    pub fn contains(&self, other: &Self) -> bool {
        if self.kind != Kind::Directory {
            return false;
        }
        if core::ptr::eq(self, other) {
            return true;
        }
        let mut above = other.parent();
        while let Some(item) = above {
            if core::ptr::eq(self, Arc::as_ptr(&item)) {
                return true;
            }
            above = item.parent();
        }
        false
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        self.share.seen.remove(&self.number(), self);
        // One by one, not each in its child's end: a stack has room for only so many.
        let mut position = core::mem::take(&mut *self.position.lock());
        while let Position::In(parent, ..) = position {
            let Some(last) = Arc::into_inner(parent) else { break };
            position = core::mem::take(&mut *last.position.lock());
        }
    }
}
