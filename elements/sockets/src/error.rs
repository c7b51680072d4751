//! Why a socket does not do it, or what has happened to its connection.

/// Why packets do not arrive, as routes or ICMP say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unreachable {
    /// No route.
    Network,
    /// Nobody has the address.
    Host,
    /// It speaks no such protocol.
    Protocol,
    /// A policy forbids it.
    Forbidden,
}

/// Why a call did not do it. Each names the error that Linux has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// The socket is closed (EBADF).
    Stale,
    /// It would have to wait (EAGAIN).
    WouldBlock,
    /// The connection is being made from now on (EINPROGRESS).
    InProgress,
    /// The connection is being made already (EALREADY).
    Already,
    /// It is connected (EISCONN).
    Connected,
    /// It is not connected (ENOTCONN).
    NotConnected,
    /// Nobody is named that it could go to (EDESTADDRREQ).
    NoDestination,
    /// It cannot be in this state, or with this value (EINVAL).
    Invalid,
    /// Sockets of this form do not have that (EOPNOTSUPP).
    Unsupported,
    /// Sockets of this form have no such setting (ENOPROTOOPT).
    NoSetting,
    /// There is no such family, or the address is of another one (EAFNOSUPPORT).
    Family,
    /// The address is taken (EADDRINUSE).
    InUse,
    /// The address is none of this machine's, or no port is free (EADDRNOTAVAIL).
    NotAvailable,
    /// It must not: a broadcast without leave, a port or form for others (EACCES).
    Forbidden,
    /// The message is longer than can be sent (EMSGSIZE).
    TooLong,
    /// Nobody listens there (ECONNREFUSED).
    Refused,
    /// The other side has broken the connection (ECONNRESET).
    Reset,
    /// This side has (ECONNABORTED).
    Aborted,
    /// The other side did not answer for too long (ETIMEDOUT).
    TimedOut,
    /// Nothing may be sent any more (EPIPE).
    Closed,
    /// No way leads there (ENETUNREACH, EHOSTUNREACH, ENOPROTOOPT, EACCES).
    Unreachable(Unreachable),
    /// The interface is down (ENETDOWN).
    Down,
    /// No memory or no number is left (ENOBUFS).
    Full,
    /// Who leads outside of the machine may open no more (ENFILE).
    NoDescriptors,
    /// The memory of the caller cannot be read (EFAULT).
    BadAddress,
}

impl Error {
    /// Linux' number for it (errno(3)).
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::Stale => 9,
            Self::WouldBlock => 11,
            Self::Forbidden | Self::Unreachable(Unreachable::Forbidden) => 13,
            Self::BadAddress => 14,
            Self::Invalid => 22,
            Self::NoDescriptors => 23,
            Self::Closed => 32,
            Self::NoDestination => 89,
            Self::TooLong => 90,
            Self::NoSetting | Self::Unreachable(Unreachable::Protocol) => 92,
            Self::Unsupported => 95,
            Self::Family => 97,
            Self::InUse => 98,
            Self::NotAvailable => 99,
            Self::Down => 100,
            Self::Unreachable(Unreachable::Network) => 101,
            Self::Aborted => 103,
            Self::Reset => 104,
            Self::Full => 105,
            Self::Connected => 106,
            Self::NotConnected => 107,
            Self::TimedOut => 110,
            Self::Refused => 111,
            Self::Unreachable(Unreachable::Host) => 113,
            Self::Already => 114,
            Self::InProgress => 115,
        }
    }
}
