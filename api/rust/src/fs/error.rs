//! Errors of files as errors of input and output.

use contracts::vfs::FileError;

use crate::io::Error;

/// Linux' number for a file error (errno(3)).
const fn number(error: FileError) -> i32 {
    match error {
        FileError::NotPermitted => 1,
        FileError::NotFound => 2,
        FileError::Failed => 5,
        FileError::NoDevice => 6,
        FileError::BadDescriptor => 9,
        FileError::WouldBlock => 11,
        FileError::NoMemory => 12,
        FileError::Denied => 13,
        FileError::BadAddress => 14,
        FileError::Busy => 16,
        FileError::Exists => 17,
        FileError::CrossDevice => 18,
        FileError::NotDirectory => 20,
        FileError::IsDirectory => 21,
        FileError::Invalid => 22,
        FileError::NoAttribute => 61,
        FileError::TooManyFiles => 23,
        FileError::NotTerminal => 25,
        FileError::TextBusy => 26,
        FileError::TooLarge => 27,
        FileError::NoSpace => 28,
        FileError::NotSeekable => 29,
        FileError::ReadOnly => 30,
        FileError::TooManyNames => 31,
        FileError::Broken => 32,
        FileError::NameTooLong => 36,
        FileError::NotEmpty => 39,
        FileError::TooManyLinks => 40,
        FileError::TooLong => 90,
        FileError::WrongType => 91,
        FileError::Unsupported => 95,
        FileError::AddressInUse => 98,
        FileError::Reset => 104,
        FileError::Connected => 106,
        FileError::TooManyReferences => 109,
        FileError::NotConnected => 107,
        FileError::Refused => 111,
        FileError::Stale => 116,
        FileError::NoQuota => 122,
    }
}

/// The error.
#[cold]
pub(super) const fn of(error: FileError) -> Error {
    Error::from_raw_os_error(number(error))
}
