//! The host's errors in the words of sockets.

use sockets::{Error, Unreachable};

use crate::host::HostError;

/// An error of the host's; one that no socket should answer is none of the caller's doing.
pub fn of(HostError(number): HostError) -> Error {
    const ALL: [Error; 27] = [
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
        Error::NoDescriptors,
        Error::BadAddress,
        Error::Unreachable(Unreachable::Protocol),
    ];
    /// EPERM: a firewall of the host's.
    const EPERM: i32 = 1;
    /// EMFILE: to us as to a program that has opened few itself, it is the system that has no more.
    const EMFILE: i32 = 24;
    match ALL.into_iter().find(|error| error.number() == number) {
        Some(error) => error,
        None if number == EPERM => Error::Forbidden,
        None if number == EMFILE => Error::NoDescriptors,
        // Of memory.
        None => Error::Full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// accept(2) of Linux' names both, and servers that are told so wait before they try again.
    #[test]
    fn a_host_without_descriptors_is_no_lack_of_memory() {
        let [no_memory, table_full, too_many, no_buffers] = [12, 23, 24, 105];
        assert_eq!([table_full, too_many].map(|number| of(HostError(number))), [Error::NoDescriptors; 2]);
        assert_eq!([no_memory, no_buffers].map(|number| of(HostError(number))), [Error::Full; 2]);
    }
}
