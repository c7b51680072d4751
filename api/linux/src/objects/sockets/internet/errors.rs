//! The border where errors of the contract `sockets` become those of files, and Linux' numbers.

use contracts::sockets_element::{Error, Unreachable};
use linux_abi::Errno;
use vfs::FileError;

use crate::objects::errors;

/// As what a file answers.
pub const fn of(error: Error) -> FileError {
    match error {
        Error::Stale => FileError::BadDescriptor,
        Error::WouldBlock => FileError::WouldBlock,
        Error::InProgress => FileError::InProgress,
        Error::Already => FileError::Already,
        Error::Connected => FileError::Connected,
        Error::NotConnected => FileError::NotConnected,
        Error::NoDestination => FileError::NoDestination,
        Error::Invalid => FileError::Invalid,
        Error::Unsupported => FileError::Unsupported,
        Error::NoSetting | Error::Unreachable(Unreachable::Protocol) => FileError::NoOption,
        Error::Family => FileError::NoFamily,
        Error::InUse => FileError::AddressInUse,
        Error::NotAvailable => FileError::NotAvailable,
        Error::Forbidden | Error::Unreachable(Unreachable::Forbidden) => FileError::Denied,
        Error::TooLong => FileError::TooLong,
        Error::Refused => FileError::Refused,
        Error::Reset => FileError::Reset,
        Error::Aborted => FileError::Aborted,
        Error::TimedOut => FileError::TimedOut,
        Error::Closed => FileError::Broken,
        Error::Unreachable(Unreachable::Network) => FileError::NetworkUnreachable,
        Error::Unreachable(Unreachable::Host) => FileError::HostUnreachable,
        Error::Down => FileError::NetworkDown,
        Error::Full => FileError::NoBuffers,
        Error::NoDescriptors => FileError::TooManyFiles,
        Error::BadAddress => FileError::BadAddress,
    }
}

/// As what a call answers.
pub const fn errno(error: Error) -> Errno {
    errors::errno(of(error))
}
