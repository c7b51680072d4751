//! The host's errors in the words of sockets.

use sockets::{Error, Unreachable};

use crate::host::HostError;

/// An error of the host's; one that no socket should answer is none of the caller's doing.
pub fn of(HostError(number): HostError) -> Error {
    const ALL: [Error; 26] = [
        Error::Stale,
        Error::WouldBlock,
        Error::InProgress,
        Error::Already,
        Error::Connected,
        Error::NotConnected,
        Error::NoDestination,
        Error::Invalid,
        Error::Unsupported,
        Error::NoSetting,
        Error::Family,
        Error::InUse,
        Error::NotAvailable,
        Error::Forbidden,
        Error::TooLong,
        Error::Refused,
        Error::Reset,
        Error::Aborted,
        Error::TimedOut,
        Error::Closed,
        Error::Unreachable(Unreachable::Network),
        Error::Unreachable(Unreachable::Host),
        Error::Down,
        Error::Full,
        Error::BadAddress,
        Error::Unreachable(Unreachable::Protocol),
    ];
    /// EPERM: a firewall of the host's.
    const EPERM: i32 = 1;
    match ALL.into_iter().find(|error| error.number() == number) {
        Some(error) => error,
        None if number == EPERM => Error::Forbidden,
        // Of memory, of descriptors.
        None => Error::Full,
    }
}
