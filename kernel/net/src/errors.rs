//! Errors of the stack in the words of sockets.

use netstack::Failure;
use sockets::{Error, Unreachable};

/// Of TCP.
pub const fn of_stream(error: tcp::Error) -> Error {
    match error {
        tcp::Error::Stale => Error::Stale,
        tcp::Error::WouldBlock => Error::WouldBlock,
        tcp::Error::InProgress => Error::InProgress,
        tcp::Error::Already => Error::Already,
        tcp::Error::Connected => Error::Connected,
        tcp::Error::NotConnected => Error::NotConnected,
        tcp::Error::Invalid | tcp::Error::NoUrgent => Error::Invalid,
        tcp::Error::InUse => Error::InUse,
        tcp::Error::NotAvailable => Error::NotAvailable,
        tcp::Error::Family => Error::Family,
        tcp::Error::Refused => Error::Refused,
        tcp::Error::Reset => Error::Reset,
        tcp::Error::Aborted => Error::Aborted,
        tcp::Error::TimedOut => Error::TimedOut,
        tcp::Error::Closed => Error::Closed,
        tcp::Error::Full => Error::Full,
        tcp::Error::Unreachable(why) => match why {
            tcp::Unreachable::Network => Error::Unreachable(Unreachable::Network),
            tcp::Unreachable::Host => Error::Unreachable(Unreachable::Host),
            tcp::Unreachable::Protocol => Error::Unreachable(Unreachable::Protocol),
            tcp::Unreachable::Port => Error::Refused,
            tcp::Unreachable::Forbidden => Error::Unreachable(Unreachable::Forbidden),
        },
    }
}

/// Of UDP and IP.
pub const fn of_datagrams(error: netstack::Error) -> Error {
    match error {
        netstack::Error::Stale => Error::Stale,
        netstack::Error::Unreachable => Error::Unreachable(Unreachable::Network),
        netstack::Error::TooBig(_) => Error::TooLong,
        netstack::Error::NotAvailable => Error::NotAvailable,
        netstack::Error::Down => Error::Down,
        netstack::Error::Full => Error::Full,
        netstack::Error::WouldBlock => Error::WouldBlock,
        netstack::Error::InUse => Error::InUse,
        netstack::Error::Family => Error::Family,
        netstack::Error::Invalid => Error::Invalid,
        netstack::Error::NoDestination => Error::NoDestination,
        netstack::Error::Forbidden => Error::Forbidden,
        netstack::Error::Told(failure) => of_failure(failure),
    }
}

/// What ICMP has said: the numbers of Linux' `icmp_err_convert`.
pub const fn of_failure(failure: Failure) -> Error {
    match failure {
        Failure::Network => Error::Unreachable(Unreachable::Network),
        Failure::Host | Failure::TimeExceeded => Error::Unreachable(Unreachable::Host),
        Failure::Protocol | Failure::Parameter => Error::Unreachable(Unreachable::Protocol),
        Failure::Port => Error::Refused,
        Failure::Forbidden => Error::Unreachable(Unreachable::Forbidden),
        Failure::TooBig(_) => Error::TooLong,
    }
}
