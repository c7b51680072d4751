//! Why a packet does not go, or has not arrived.

/// Why a packet is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// The handle is of a socket that is closed (`EBADF`).
    Stale,
    /// No route leads there (`ENETUNREACH`).
    Unreachable,
    /// It is longer than the path carries, and must not be cut (`EMSGSIZE`): the longest packet in bytes.
    TooBig(u16),
    /// The source is none of this machine's addresses, or no port is free (`EADDRNOTAVAIL`).
    NotAvailable,
    /// The interface is not there, or not up (`ENETDOWN`).
    Down,
    /// A queue or a table is full (`ENOBUFS`).
    Full,
    /// Nothing there yet (`EAGAIN`).
    WouldBlock,
    /// Address and port are taken (`EADDRINUSE`).
    InUse,
    /// An address of the other family (`EAFNOSUPPORT`).
    Family,
    /// It cannot do that in its state (`EINVAL`).
    Invalid,
    /// No destination was given (`EDESTADDRREQ`).
    NoDestination,
    /// A broadcast without leave (`EACCES`).
    Forbidden,
    /// What ICMP said about a packet sent before.
    Told(Failure),
}

/// What ICMP says about a packet of ours: RFC 792, RFC 1122, RFC 4443.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// No route to the network.
    Network,
    /// Nobody answers for the address.
    Host,
    /// The host speaks no such protocol.
    Protocol,
    /// Nobody is at the port.
    Port,
    /// A policy forbids it.
    Forbidden,
    /// It was longer than a link on its way carries: so many bytes with the header of IP.
    TooBig(u16),
    /// Its time to live ended on the way, or its fragments did not come in time.
    TimeExceeded,
    /// The other side did not understand a field.
    Parameter,
}
