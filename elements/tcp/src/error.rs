//! What goes wrong with a socket, in the words of RFC 9293 and of the socket calls.

/// Why a packet cannot go where it shall, as routes or ICMP say it (RFC 792, RFC 4443).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unreachable {
    /// No route, or a router has none.
    Network,
    /// Nobody answers for the address.
    Host,
    /// It speaks no TCP.
    Protocol,
    /// Nobody is at the port.
    Port,
    /// A policy forbids it.
    Forbidden,
}

/// Why a socket cannot do what it was asked, or what has happened to its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// The handle is of a socket that is closed: the index is free, or somebody else's.
    Stale,
    /// Nothing there yet, or no room yet (`EAGAIN`).
    WouldBlock,
    /// The connection is being opened (`EINPROGRESS`).
    InProgress,
    /// The connection is being opened already (`EALREADY`).
    Already,
    /// It is connected already (`EISCONN`).
    Connected,
    /// It is not connected (`ENOTCONN`).
    NotConnected,
    /// It cannot do that in its state (`EINVAL`).
    Invalid,
    /// Address and port are taken (`EADDRINUSE`).
    InUse,
    /// The address is none of this machine's, or no port is free (`EADDRNOTAVAIL`).
    NotAvailable,
    /// An address of the other family (`EAFNOSUPPORT`).
    Family,
    /// The other side answered that nobody listens (`ECONNREFUSED`).
    Refused,
    /// The other side has reset the connection (`ECONNRESET`).
    Reset,
    /// The connection was aborted from this side (`ECONNABORTED`).
    Aborted,
    /// No answer for too long (`ETIMEDOUT`).
    TimedOut,
    /// Writing after the direction was closed (`EPIPE`).
    Closed,
    /// No way to the other side.
    Unreachable(Unreachable),
    /// A limit of the machine: sockets or memory (`ENOBUFS`).
    Full,
    /// There is no urgent data (`EINVAL` of `MSG_OOB`).
    NoUrgent,
}
