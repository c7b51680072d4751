//! How callers name sockets, and how they learn that something happened.

/// A socket: its place, and which of those that were there over time. A handle of a closed socket is an error, never
/// somebody else's socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl Handle {
    /// Its place: unique among the sockets that are open now, and small. For tables of callers.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }
}

bitflags::bitflags! {
    /// What a socket is ready for, as poll(2) and epoll(7) have it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Readiness: u8 {
        /// Reading or accepting does not wait (`POLLIN`).
        const READABLE = 0x01;
        /// Writing does not wait (`POLLOUT`).
        const WRITABLE = 0x02;
        /// Urgent data is there (`POLLPRI`).
        const URGENT = 0x04;
        /// The other side sends no more, or reading was shut down (`POLLRDHUP`).
        const READ_CLOSED = 0x08;
        /// Both directions are closed (`POLLHUP`).
        const HANGUP = 0x10;
        /// An error waits to be taken (`POLLERR`).
        const ERROR = 0x20;
    }
}

/// Which directions are shut down: shutdown(2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// No more reading.
    Read,
    /// No more writing: FIN follows what is queued.
    Write,
    /// Neither.
    Both,
}

/// The family of a socket's addresses. Sockets of IPv6 take IPv4 too, unless they are told otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// IPv4.
    V4,
    /// IPv6, and IPv4 unless [`crate::Settings::only_v6`] is set.
    V6,
}

/// The states of RFC 9293, 3.3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the document's")]
pub enum State {
    Closed,
    Listen,
    SynSent,
    SynReceived,
    Established,
    FinWait1,
    FinWait2,
    CloseWait,
    Closing,
    LastAck,
    TimeWait,
}

bitflags::bitflags! {
    /// How bytes are written: send(2).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct WriteFlags: u8 {
        /// The last byte is urgent (`MSG_OOB`).
        const URGENT = 1;
        /// More follows soon: a small segment waits for it (`MSG_MORE`).
        const MORE = 2;
        /// What is written later is in other segments (`MSG_EOR`).
        const END = 4;
        /// Memory of the program's own that is not copied (`MSG_ZEROCOPY`): a packet has few stretches of it.
        const LENT = 8;
    }
}
