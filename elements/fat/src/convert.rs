//! What one side calls a thing, in the words of the other.

use hadris_fs::{Attributes, DateTime, Error, ErrorKind, FileType, Metadata as Known};
use vfs::{FileError, Kind, Metadata, Owner, Time};

use crate::device::DeviceError;

const SECOND: i64 = 1_000_000_000;

/// Permissions of what may be written, and of what is marked read-only.
pub const OPEN: u32 = 0o755;
pub const CLOSED: u32 = 0o555;

pub fn file_error(error: &Error<DeviceError>) -> FileError {
    if let Some(DeviceError(error)) = error.device_error() {
        return *error;
    }
    match error.kind() {
        ErrorKind::NotFound => FileError::NotFound,
        ErrorKind::AlreadyExists => FileError::Exists,
        ErrorKind::NotADirectory => FileError::NotDirectory,
        ErrorKind::IsADirectory => FileError::IsDirectory,
        ErrorKind::DirectoryNotEmpty => FileError::NotEmpty,
        ErrorKind::NoSpace => FileError::NoSpace,
        ErrorKind::ReadOnly => FileError::ReadOnly,
        ErrorKind::InvalidInput => FileError::Invalid,
        ErrorKind::Unsupported => FileError::NotPermitted,
        ErrorKind::LimitExceeded => FileError::NoMemory,
        ErrorKind::NameTooLong => FileError::NameTooLong,
        ErrorKind::FileTooLarge => FileError::TooLarge,
        ErrorKind::InvalidHandle => FileError::Stale,
        ErrorKind::Busy => FileError::Busy,
        _ => FileError::Failed,
    }
}

pub const fn kind(of: FileType) -> Kind {
    if of.is_dir() { Kind::Directory } else { Kind::Regular }
}

pub fn metadata(known: &Known, inode: u64, device: u64, owner: Owner) -> Metadata {
    let is_read_only = known.attributes().contains(Attributes::READ_ONLY);
    let mut metadata = Metadata::new(kind(known.file_type()), if is_read_only { CLOSED } else { OPEN });
    metadata.device = device;
    metadata.inode = inode;
    metadata.owner = owner;
    metadata.size = known.len();
    metadata.occupied = known.allocated();
    metadata.modified = known.modified().map_or(0, |time| time_of(&time));
    metadata.accessed = known.accessed().map_or(metadata.modified, |time| time_of(&time));
    metadata.changed = metadata.modified;
    metadata
}

fn time_of(time: &DateTime) -> Time {
    time.unix_seconds().saturating_mul(SECOND).saturating_add(time.nanoseconds().into())
}

/// A moment; the first one that FAT knows where this one cannot be said.
pub fn moment(time: Time) -> DateTime {
    let nanoseconds = time.rem_euclid(SECOND) as u32;
    DateTime::new(time.div_euclid(SECOND), nanoseconds).unwrap_or(hadris_fs::NoClock::TIME)
}
