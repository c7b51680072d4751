//! What every node of an overlay has.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering};

use sync::Mutex;

use super::Shared;
use crate::{Change, Extended, Identity, Kind, Metadata, Node, metadata::is_outdated};

/// Names a node may have (LINK_MAX).
const MOST_LINKS: u32 = 65_000;

pub(super) struct Head {
    pub(super) shared: Arc<Shared>,
    /// The node below that this one shows; none for one that was made here.
    pub(super) lower: Option<Arc<dyn Node>>,
    /// It was made without a name, and may get one.
    pub(super) linkable: AtomicBool,
    /// What is known about it here; as below while there is nothing.
    metadata: Mutex<Option<Metadata>>,
    /// Nobody has read it since what is known here last changed. What is below stays as it is.
    unread: AtomicBool,
    /// Those given here: what is below shows none.
    pub(super) extended: Mutex<Extended>,
}

impl Head {
    /// Shows `lower`.
    pub(super) const fn below(shared: Arc<Shared>, lower: Arc<dyn Node>) -> Self {
        Self {
            shared,
            lower: Some(lower),
            linkable: AtomicBool::new(false),
            metadata: Mutex::new(None),
            unread: AtomicBool::new(false),
            extended: Mutex::new(Extended::new()),
        }
    }

    /// Made just now; `metadata` needs neither numbers nor times.
    pub(super) fn made(shared: Arc<Shared>, mut metadata: Metadata) -> Self {
        metadata.set_times(shared.surroundings.now());
        metadata.device = shared.device;
        metadata.inode = shared.inode();
        Self {
            shared,
            lower: None,
            linkable: AtomicBool::new(false),
            metadata: Mutex::new(Some(metadata)),
            unread: AtomicBool::new(true),
            extended: Mutex::new(Extended::new()),
        }
    }

    pub(super) fn system(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }

    /// What is known about it. May ask below.
    pub(super) fn metadata(&self) -> Metadata {
        let known = *self.metadata.lock();
        known.unwrap_or_else(|| self.lower_metadata())
    }

    /// What tells it from other nodes.
    pub(super) fn identity(&self) -> Identity {
        match (self.settled(), &self.lower) {
            (Some(known), _) => (known.device, known.inode),
            (None, Some(lower)) => {
                let (device, inode) = lower.identity();
                (self.shared.device, self.shared.inode_of(device, inode))
            }
            (None, None) => (self.shared.device, 0),
        }
    }

    fn lower_metadata(&self) -> Metadata {
        let Some(lower) = &self.lower else { return Metadata::new(Kind::Event, 0) };
        let mut metadata = lower.metadata();
        metadata.inode = self.shared.inode_of(metadata.device, metadata.inode);
        metadata.device = self.shared.device;
        metadata
    }

    /// What is known about it without asking below.
    pub(super) fn settled(&self) -> Option<Metadata> {
        *self.metadata.lock()
    }

    /// Whether something is known about it without asking below.
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        self.metadata.lock_in_line().is_some()
    }

    /// From now on, what is known about it is kept here. May ask below. Whoever calls keeps the node from being
    /// forgotten.
    pub(super) fn settle(&self) {
        if self.settled().is_none() {
            let metadata = self.lower_metadata();
            // Another one may have settled and changed it meanwhile.
            self.metadata.lock().get_or_insert(metadata);
            self.unread.store(true, Ordering::Relaxed);
        }
    }

    /// Changes what is known about a settled node.
    pub(super) fn update(&self, change: impl FnOnce(&mut Metadata)) {
        if let Some(metadata) = &mut *self.metadata.lock() {
            change(metadata);
            self.unread.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the next read is to be noted.
    #[inline]
    pub(super) fn is_unread(&self) -> bool {
        self.unread.load(Ordering::Relaxed)
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
        let now = self.shared.surroundings.now();
        let mut metadata = self.metadata.lock();
        let Some(known) = &mut *metadata else { return };
        let changes = [known.modified, known.changed];
        if is_outdated(known.accessed, changes, now) {
            known.accessed = now;
        }
        if !is_outdated(known.accessed, changes, now) {
            self.unread.store(false, Ordering::Relaxed);
        }
    }

    /// It has another name.
    pub(super) fn rename(&self) {
        self.change(&Change::default());
    }

    pub(super) fn change(&self, change: &Change) {
        let now = self.shared.surroundings.now();
        self.update(|known| {
            known.mode = change.mode.map_or(known.mode, |mode| mode & 0o7777);
            known.owner.user = change.user.unwrap_or(known.owner.user);
            known.owner.group = change.group.unwrap_or(known.owner.group);
            known.accessed = change.accessed.unwrap_or(known.accessed);
            known.modified = change.modified.unwrap_or(known.modified);
            known.changed = now;
        });
    }

    /// The contents changed just now.
    pub(super) fn touch(&self) {
        let now = self.shared.surroundings.now();
        self.update(|known| (known.modified, known.changed) = (now, now));
    }

    /// One name more; `false` if there are too many, or none: what has lost its last name gets no new one.
    pub(super) fn add_link(&self) -> bool {
        let now = self.shared.surroundings.now();
        let mut possible = false;
        self.update(|known| {
            possible = (known.links > 0 || self.linkable.swap(false, Ordering::Relaxed)) && known.links < MOST_LINKS;
            if possible {
                known.links += 1;
                known.changed = now;
            }
        });
        possible
    }

    /// One name less; answers how many are left.
    pub(super) fn drop_link(&self) -> u32 {
        let now = self.shared.surroundings.now();
        let mut left = 0;
        self.update(|known| {
            known.links = known.links.saturating_sub(1);
            known.changed = now;
            left = known.links;
        });
        left
    }

    /// A directory's entries have changed just now, by so many, of which so many are directories.
    pub(super) fn count_entries(&self, entries: i64, directories: i64) {
        self.touch();
        self.update(|known| {
            // As tmpfs: an entry counts 20 bytes.
            known.size = known.size.saturating_add_signed(entries * 20);
            // A file system that does not count directories says 1.
            if known.links >= 2 {
                known.links = known.links.saturating_add_signed(directories as i32);
            }
        });
    }
}
