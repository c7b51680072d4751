//! What is known about a node without reading it (inode(7)).

/// Nanoseconds since 1970-01-01 00:00 UTC; negative before.
pub type Time = i64;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file with contents.
    Regular,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A character device.
    Character,
    /// A block device.
    Block,
    /// A pipe.
    Pipe,
    /// A socket.
    Socket,
    /// What only descriptors lead to: counters, timers. Linux shows no type.
    Event,
}

impl Kind {
    /// The type bits of `st_mode`.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Pipe => 0o010_000,
            Self::Character => 0o020_000,
            Self::Directory => 0o040_000,
            Self::Block => 0o060_000,
            Self::Regular => 0o100_000,
            Self::Link => 0o120_000,
            Self::Socket => 0o140_000,
            Self::Event => 0,
        }
    }
}

/// Whose a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owner {
    /// User.
    pub user: u32,
    /// Group.
    pub group: u32,
}

/// What stat(2) tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The file system's number.
    pub device: u64,
    /// The node's number in it.
    pub inode: u64,
    /// What it is.
    pub kind: Kind,
    /// Permissions, set-user-ID, set-group-ID and sticky bit: `0o7777` at most.
    pub mode: u32,
    /// Names it has.
    pub links: u32,
    /// Whose it is.
    pub owner: Owner,
    /// For a device, which one: major and minor number.
    pub special: (u32, u32),
    /// Bytes of contents.
    pub size: u64,
    /// Bytes of memory that the contents take.
    pub occupied: u64,
    /// Last read.
    pub accessed: Time,
    /// Last change of contents.
    pub modified: Time,
    /// Last change of anything.
    pub changed: Time,
}

impl Metadata {
    /// A node that takes no room and belongs to root.
    #[must_use]
    pub const fn new(kind: Kind, mode: u32) -> Self {
        Self {
            device: 0,
            inode: 0,
            kind,
            mode,
            links: 1,
            owner: Owner { user: 0, group: 0 },
            special: (0, 0),
            size: 0,
            occupied: 0,
            accessed: 0,
            modified: 0,
            changed: 0,
        }
    }

    /// Everything about it happened at `time`.
    pub const fn set_times(&mut self, time: Time) {
        self.accessed = time;
        self.modified = time;
        self.changed = time;
    }

    /// Changes mode, owner and times, as far as `change` says so: what a node does that is in memory alone.
    pub fn change(&mut self, change: &Change) {
        self.mode = change.mode.map_or(self.mode, |mode| mode & 0o7777);
        self.owner.user = change.user.unwrap_or(self.owner.user);
        self.owner.group = change.group.unwrap_or(self.owner.group);
        self.accessed = change.accessed.unwrap_or(self.accessed);
        self.modified = change.modified.unwrap_or(self.modified);
    }

    /// `st_mode`: kind and permissions.
    #[must_use]
    pub const fn full_mode(&self) -> u32 {
        self.kind.bits() | self.mode
    }
}

/// Whether a read at `now` is to be noted: none has been since the last changes, or for a day (`relatime` in mount(8)).
#[must_use]
pub(crate) fn is_outdated(accessed: Time, changes: [Time; 2], now: Time) -> bool {
    const DAY: Time = 24 * 60 * 60 * 1_000_000_000;
    changes.into_iter().any(|change| change >= accessed) || now.saturating_sub(accessed) >= DAY
}

/// What to change about a node; `None` leaves a thing alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Permissions, with set-user-ID, set-group-ID and sticky bit.
    pub mode: Option<u32>,
    /// User.
    pub user: Option<u32>,
    /// Group.
    pub group: Option<u32>,
    /// Last read.
    pub accessed: Option<Time>,
    /// Last change of contents.
    pub modified: Option<Time>,
}

/// What statfs(2) tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSystem {
    /// The magic number that Linux has for this kind.
    pub magic: u64,
    /// Bytes a block.
    pub block_size: u64,
    /// Blocks in all.
    pub blocks: u64,
    /// Blocks free.
    pub free: u64,
    /// Files that there may be in all, and how many more: 0 where nobody counts them.
    pub files: u64,
    /// See there.
    pub free_files: u64,
}
