//! The host's numbers and structures as the tree has them.

use vfs::{FileError, Kind, Metadata, Owner, Time};

use crate::host::{
    HostError,
    directory::{Status, Timestamp},
};

/// What the host's error number means (errno(3)).
pub fn file_error(HostError(number): HostError) -> FileError {
    FileError::of_host(number.cast_unsigned())
}

/// The kind that the type bits of a mode say.
pub const fn kind(mode: u16) -> Kind {
    match mode & 0o170_000 {
        0o010_000 => Kind::Pipe,
        0o020_000 => Kind::Character,
        0o040_000 => Kind::Directory,
        0o060_000 => Kind::Block,
        0o120_000 => Kind::Link,
        0o140_000 => Kind::Socket,
        _ => Kind::Regular,
    }
}

/// The kind that an entry of getdents64(2) says (DT_*); `None` where the file system does not know.
pub const fn listed_kind(kind: u8) -> Option<Kind> {
    match kind {
        1 => Some(Kind::Pipe),
        2 => Some(Kind::Character),
        4 => Some(Kind::Directory),
        6 => Some(Kind::Block),
        8 => Some(Kind::Regular),
        10 => Some(Kind::Link),
        12 => Some(Kind::Socket),
        _ => None,
    }
}

/// Bytes of a block in `st_blocks`.
const BLOCK: u64 = 512;

/// What the host tells of a file.
pub fn metadata(status: &Status) -> Metadata {
    let mut metadata = Metadata::new(kind(status.mode), u32::from(status.mode) & 0o7777);
    metadata.device = device(status);
    metadata.inode = status.inode;
    metadata.links = status.links;
    metadata.owner = Owner { user: status.user, group: status.group };
    metadata.special = (status.special_major, status.special_minor);
    metadata.size = status.size;
    metadata.occupied = status.blocks * BLOCK;
    metadata.accessed = time(status.accessed);
    metadata.modified = time(status.modified);
    metadata.changed = time(status.changed);
    metadata
}

/// The number of the file system, as stat(2) shows it (makedev(3)).
pub const fn device(status: &Status) -> u64 {
    let (major, minor) = (status.device_major as u64, status.device_minor as u64);
    minor & 0xff | major << 8 & 0xf_ff00 | (minor & !0xff) << 12 | (major & !0xfff) << 32
}

const NANOSECONDS: i64 = 1_000_000_000;

fn time(stamp: Timestamp) -> Time {
    stamp.seconds.saturating_mul(NANOSECONDS).saturating_add(i64::from(stamp.nanoseconds))
}

/// Seconds and nanoseconds of a time.
pub const fn seconds(time: Time) -> [i64; 2] {
    [time.div_euclid(NANOSECONDS), time.rem_euclid(NANOSECONDS)]
}
