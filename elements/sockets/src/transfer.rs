//! How bytes are sent and received, and when that would not wait.

use core::net::{IpAddr, SocketAddr};

use crate::Error;

bitflags::bitflags! {
    /// How a receive is meant.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Receiving: u8 {
        /// What is received stays (MSG_PEEK).
        const PEEK = 0x01;
        /// The urgent byte (MSG_OOB).
        const URGENT = 0x02;
        /// What ICMP said about a message of ours (MSG_ERRQUEUE).
        const ERRORS = 0x04;
    }
}

bitflags::bitflags! {
    /// Moments in the life of what is sent.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Moments: u8 {
        /// It has begun its way to the device (SOF_TIMESTAMPING_TX_SCHED).
        const SCHEDULED = 1;
        /// The device has it (SOF_TIMESTAMPING_TX_SOFTWARE).
        const SENT = 2;
        /// The other side has acknowledged it (SOF_TIMESTAMPING_TX_ACK).
        const ACKNOWLEDGED = 4;
    }
}

/// One of them: of the last byte of what one send took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Which.
    pub moment: Moments,
    /// When it was, in nanoseconds of the monotonic clock.
    pub at: u64,
    /// The byte's number in the stream; the first one that was sent after moments were asked for is 0.
    pub byte: u32,
}

/// How a send is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sending {
    /// To whom, if not to whom it is connected.
    pub to: Option<SocketAddr>,
    /// From which of this machine's addresses (IP_PKTINFO); `None`: as the route says.
    pub from: Option<IpAddr>,
    /// By which interface; 0: as the route says.
    pub interface: u32,
    /// Routers that it may pass (IP_TTL as a control message).
    pub hop_limit: Option<u8>,
    /// Differentiated services (IP_TOS as a control message).
    pub traffic_class: Option<u8>,
    /// Bytes of each message, where one send is many of them (UDP_SEGMENT).
    pub segment: Option<u16>,
    /// More follows at once (MSG_MORE).
    pub more: bool,
    /// The last byte is urgent (MSG_OOB).
    pub urgent: bool,
}

/// What a receive brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Bytes that the sink has taken.
    pub count: usize,
    /// Bytes of the message; as many as `count` of a stream.
    pub whole: usize,
    /// Who has sent the message.
    pub from: Option<SocketAddr>,
    /// Which of this machine's addresses, or which group, it was for.
    pub to: Option<IpAddr>,
    /// By which interface it came; 0: of a stream.
    pub interface: u32,
    /// What was left of its hop limit.
    pub hop_limit: u8,
    /// Differentiated services and congestion notification.
    pub traffic_class: u8,
    /// Bytes of each message, where several were put together to one (UDP_GRO).
    pub segment: Option<u16>,
    /// When it came, in nanoseconds of the monotonic clock; 0 if nobody noted it.
    pub at: u64,
    /// It is no message: one of ours has failed, whose bytes these are, and whose destination `from` is
    /// ([`Receiving::ERRORS`]).
    pub failed: Option<Failed>,
}

/// What has become of a message of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The error that a call would answer.
    pub error: Error,
    /// Who said so; `None`: this machine itself.
    pub by: Option<IpAddr>,
    /// Kind and code of the ICMP message.
    pub message: [u8; 2],
    /// Bytes of the longest packet that gets there, if it was too long.
    pub mtu: u32,
}
