//! The settings of sockets: socket(7), ip(7), ipv6(7), tcp(7), udp(7).

use core::time::Duration;

use crate::Moments;

/// A setting and its value. A question about one has any value ([`crate::Sockets::get`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// SO_REUSEADDR: an address may be bound that connections of before use.
    ReuseAddress(bool),
    /// SO_REUSEPORT: several may have an address if all say so.
    ReusePort(bool),
    /// SO_BROADCAST: it may send to everyone.
    Broadcast(bool),
    /// SO_KEEPALIVE: silent connections are probed.
    KeepAlive(bool),
    /// SO_LINGER: what is not sent when it is closed has so long; zero resets the connection. Waiting is the caller's.
    Linger(Option<Duration>),
    /// SO_OOBINLINE: urgent bytes stay in the stream.
    UrgentInline(bool),
    /// SO_SNDBUF: bytes that may wait to be sent, as the program asked: nothing is doubled here.
    SendBuffer(u32),
    /// SO_RCVBUF: bytes that may wait to be received.
    ReceiveBuffer(u32),
    /// SO_RCVLOWAT: it is readable from so many bytes on.
    ReceiveLowWater(u32),
    /// SO_BINDTODEVICE: the interface by its number; 0: any.
    Interface(u32),
    /// SO_ACCEPTCONN, to be asked for: it takes connections.
    Listening(bool),
    /// IPV6_V6ONLY: IPv4 is not for it.
    OnlyV6(bool),
    /// IP_TOS, IPV6_TCLASS.
    TrafficClass(u8),
    /// IP_TTL, IPV6_UNICAST_HOPS; 0: as usual.
    HopLimit(u8),
    /// IP_MTU_DISCOVER, IPV6_MTU_DISCOVER: who may cut its packets.
    Cutting(Cutting),
    /// IP_MTU, IPV6_MTU, to be asked for: bytes of the longest packet to whom it is connected.
    PathMtu(u32),
    /// IP_RECVERR, IPV6_RECVERR: what ICMP says is kept for MSG_ERRQUEUE.
    KeepErrors(bool),
    /// IP_PKTINFO and its like: who receives wants to be told what comes along with a message. A network may tell it
    /// anyway.
    Companions(bool),
    /// IP_MULTICAST_TTL, IPV6_MULTICAST_HOPS.
    GroupHopLimit(u8),
    /// IP_MULTICAST_LOOP: what goes to a group comes to this machine's members too.
    GroupLoop(bool),
    /// IP_MULTICAST_IF: the interface by its number; 0: as routes say.
    GroupInterface(u32),
    /// IP_MULTICAST_ALL: what comes for a group that another socket has joined comes here too.
    GroupAll(bool),
    /// SO_NO_CHECK: messages over IPv4 have no checksum.
    NoChecksum(bool),
    /// UDP_GRO: messages of one sender may be put together.
    Coalesced(bool),
    /// UDPLITE_SEND_CSCOV: how many bytes the checksum covers, with the header's eight; 0: all.
    Coverage(u16),
    /// UDPLITE_RECV_CSCOV: how many it must cover at least of what comes, if it does not cover all; 0: it must.
    LeastCoverage(u16),
    /// ICMP_FILTER, ICMP6_FILTER: kinds of ICMP messages that a raw socket does not get, a bit each.
    Refused([u32; 8]),
    /// TCP_NODELAY: small segments are sent at once.
    NoDelay(bool),
    /// TCP_CORK: small segments wait for more.
    Cork(bool),
    /// TCP_QUICKACK: segments are acknowledged at once.
    QuickAcknowledge(bool),
    /// TCP_KEEPIDLE: silence before the first probe.
    KeepIdle(Duration),
    /// TCP_KEEPINTVL: time between probes.
    KeepInterval(Duration),
    /// TCP_KEEPCNT: probes without an answer that end the connection.
    KeepCount(u8),
    /// TCP_SYNCNT: how often a SYN is repeated.
    SynRetries(u8),
    /// TCP_USER_TIMEOUT: how long data may wait for its acknowledgment.
    UserTimeout(Option<Duration>),
    /// TCP_LINGER2: how long a closed connection waits for the other side's end.
    FinTimeout(Duration),
    /// TCP_MAXSEG: bytes of the longest segment's payload.
    SegmentSize(u16),
    /// TCP_WINDOW_CLAMP: bytes of the largest window that is offered.
    WindowClamp(u32),
    /// TCP_NOTSENT_LOWAT: it is writable only while fewer bytes wait to be sent.
    UnsentLowWater(u32),
    /// SO_TIMESTAMPING: moments of what is sent that are told ([`crate::Sockets::take_stamp`]).
    Moments(Moments),
    /// TCP_DEFER_ACCEPT: a connection is accepted when its first bytes are there.
    DeferAccept(bool),
}

/// Who may cut packets that are longer than a link on their way carries: ip(7), IP_MTU_DISCOVER.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cutting {
    /// This machine, once it knows; no router (IP_PMTUDISC_WANT).
    #[default]
    Here,
    /// Anyone (IP_PMTUDISC_DONT).
    Anywhere,
    /// Nobody: the send fails (IP_PMTUDISC_DO).
    Nowhere,
    /// Nobody, and what is known of the path does not count (IP_PMTUDISC_PROBE).
    Probe,
}
