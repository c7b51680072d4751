//! What every node of this file system has.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU8, Ordering};

use sync::{Alone, Mutex};

use super::Shared;
use crate::{Change, Extended, Kind, Metadata, Owner, Time, metadata::is_outdated};

/// What every node answers by its [`Base`].
macro_rules! by_base {
    () => {
        fn inode(&self) -> u64 {
            self.base.inode()
        }

        fn extended(&self) -> Option<&sync::Mutex<$crate::Extended>> {
            Some(&self.base.extended)
        }

        fn file_system(&self) -> $crate::FileSystem {
            self.base.shared.file_system()
        }

        fn system(&self) -> usize {
            self.base.system()
        }
    };
}
pub(super) use by_base;

/// Names a node may have (LINK_MAX).
const MOST_LINKS: u32 = 65_000;

pub(super) struct Base {
    pub(super) shared: Arc<Shared>,
    inode: u64,
    attributes: Mutex<Attributes>,
    pub(super) extended: Mutex<Extended>,
    /// What is to be done about its times, bits of [`CHANGED`] and [`UNREAD`].
    times: AtomicU8,
}

/// The contents changed, and nobody has asked for the times since.
const CHANGED: u8 = 1;
/// Nobody has read it since its last change: the next read is to be noted (`relatime` in mount(8)).
const UNREAD: u8 = 2;

struct Attributes {
    mode: u32,
    links: u32,
    /// It has no name yet, and may get one.
    linkable: bool,
    owner: Owner,
    accessed: Time,
    modified: Time,
    changed: Time,
}

impl Base {
    /// Made just now.
    pub(super) fn new(shared: &Arc<Shared>, mode: u32, owner: Owner, links: u32) -> Self {
        Self::old(shared, mode, owner, links, shared.surroundings.now())
    }

    /// The present moment, for one who sets several times by it.
    pub(super) fn now(&self) -> Time {
        self.shared.surroundings.now()
    }

    /// Made and changed at `time`.
    pub(super) fn old(shared: &Arc<Shared>, mode: u32, owner: Owner, links: u32, time: Time) -> Self {
        let attributes =
            Attributes { mode, links, linkable: false, owner, accessed: time, modified: time, changed: time };
        Self {
            shared: shared.clone(),
            inode: shared.inode(),
            attributes: Mutex::new(attributes),
            extended: Mutex::new(Extended::new()),
            times: AtomicU8::new(UNREAD),
        }
    }

    pub(super) fn system(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }

    pub(super) const fn inode(&self) -> u64 {
        self.inode
    }

    pub(super) fn metadata(&self, kind: Kind) -> Metadata {
        self.settle();
        self.with(&self.attributes.lock_in_line(), kind)
    }

    /// The same for who is alone, without a call; `None` if there is more to do.
    #[inline(always)]
    pub(super) fn metadata_while(&self, alone: Alone, kind: Kind) -> Option<Metadata> {
        if self.times.load(Ordering::Relaxed) & CHANGED != 0 {
            return None;
        }
        Some(self.with(&*self.attributes.try_lock_while(alone)?, kind))
    }

    #[inline(always)]
    fn with(&self, attributes: &Attributes, kind: Kind) -> Metadata {
        let mut metadata = Metadata::new(kind, attributes.mode);
        metadata.device = self.shared.device;
        metadata.inode = self.inode;
        metadata.links = attributes.links;
        metadata.owner = attributes.owner;
        metadata.accessed = attributes.accessed;
        metadata.modified = attributes.modified;
        metadata.changed = attributes.changed;
        metadata
    }

    pub(super) fn change(&self, change: &Change) {
        self.settle();
        let now = self.shared.surroundings.now();
        let mut attributes = self.attributes.lock();
        attributes.mode = change.mode.map_or(attributes.mode, |mode| mode & 0o7777);
        attributes.owner.user = change.user.unwrap_or(attributes.owner.user);
        attributes.owner.group = change.group.unwrap_or(attributes.owner.group);
        attributes.accessed = change.accessed.unwrap_or(attributes.accessed);
        attributes.modified = change.modified.unwrap_or(attributes.modified);
        attributes.changed = now;
        self.times.fetch_or(UNREAD, Ordering::Relaxed);
    }

    /// It has another name.
    pub(super) fn rename(&self) {
        self.change(&Change::default());
    }

    /// Whether the next read is to be noted.
    #[inline]
    pub(super) fn is_unread(&self) -> bool {
        self.times.load(Ordering::Relaxed) & UNREAD != 0
    }

    /// Somebody reads it.
    #[inline]
    pub(super) fn read(&self) {
        if self.is_unread() {
            self.note_read();
        }
    }

    /// Somebody reads it, the first one since its last change.
    #[cold]
    #[inline(never)]
    pub(super) fn note_read(&self) {
        self.settle();
        let now = self.shared.surroundings.now();
        let mut attributes = self.attributes.lock();
        let changes = [attributes.modified, attributes.changed];
        if is_outdated(attributes.accessed, changes, now) {
            attributes.accessed = now;
        }
        if !is_outdated(attributes.accessed, changes, now) {
            self.times.fetch_and(!UNREAD, Ordering::Relaxed);
        }
    }

    /// What an archive's second word on a node says.
    pub(super) fn restate(&self, mode: u32, owner: Owner, time: Time) {
        let mut attributes = self.attributes.lock();
        let links = attributes.links;
        *attributes = Attributes { mode, links, linkable: false, owner, accessed: time, modified: time, changed: time };
        self.times.store(UNREAD, Ordering::Relaxed);
    }

    /// The contents changed; when, is what the clock says when somebody asks, or when [`Base::settle`] is called
    /// (POSIX.1-2017, 4.9: times marked for update). Reading the clock takes longer than writing a byte.
    #[inline]
    pub(super) fn mark(&self) {
        self.times.store(CHANGED | UNREAD, Ordering::Relaxed);
    }

    /// Sets the times that are marked.
    #[inline]
    pub(super) fn settle(&self) {
        if self.times.load(Ordering::Relaxed) & CHANGED != 0 {
            self.touch();
        }
    }

    /// The contents changed just now.
    #[inline(never)]
    pub(super) fn touch(&self) {
        self.touch_at(self.now());
    }

    /// The contents changed at this moment.
    #[inline]
    pub(super) fn touch_at(&self, now: Time) {
        self.times.store(UNREAD, Ordering::Relaxed);
        let mut attributes = self.attributes.lock_in_line();
        attributes.modified = now;
        attributes.changed = now;
    }

    /// One name more; `false` if there are too many, or none: what has lost its last name gets no new one.
    pub(super) fn add_link(&self) -> bool {
        let now = self.shared.surroundings.now();
        let mut attributes = self.attributes.lock();
        let possible = (attributes.links > 0 || attributes.linkable) && attributes.links < MOST_LINKS;
        if possible {
            attributes.linkable = false;
            attributes.links += 1;
            attributes.changed = now;
            self.times.fetch_or(UNREAD, Ordering::Relaxed);
        }
        possible
    }

    /// It may get a first name.
    pub(super) fn make_linkable(&self) {
        self.attributes.lock().linkable = true;
    }

    /// `count` names fewer.
    pub(super) fn drop_links(&self, count: u32) {
        self.drop_links_at(count, self.now());
    }

    /// The same at this moment.
    #[inline]
    pub(super) fn drop_links_at(&self, count: u32, now: Time) {
        let mut attributes = self.attributes.lock_in_line();
        attributes.links = attributes.links.saturating_sub(count);
        attributes.changed = now;
        self.times.fetch_or(UNREAD, Ordering::Relaxed);
    }

    /// A directory's count follows the number of directories in it.
    pub(super) fn add_subdirectory(&self) {
        self.attributes.lock().links += 1;
    }
}
