//! The options of sockets, and the limits of the whole: tcp(7), socket(7).

use core::time::Duration;

use crate::moments::Moments;

/// The options of a socket. An accepted one begins with those of its listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `SO_REUSEADDR`: an address may be bound while old connections use it.
    pub reuse_address: bool,
    /// `SO_REUSEPORT`: several listeners may share an address if all say so.
    pub reuse_port: bool,
    /// `IPV6_V6ONLY`.
    pub only_v6: bool,
    /// `TCP_NODELAY`: small segments are sent at once.
    pub no_delay: bool,
    /// `TCP_CORK`: small segments wait for more, 200 ms at most.
    pub cork: bool,
    /// `TCP_QUICKACK`: segments are acknowledged at once.
    pub quick_acknowledge: bool,
    /// `SO_OOBINLINE`: urgent bytes stay in the stream.
    pub urgent_inline: bool,
    /// `SO_KEEPALIVE`.
    pub keep_alive: bool,
    /// `TCP_KEEPIDLE`: silence before the first probe.
    pub keep_idle: Duration,
    /// `TCP_KEEPINTVL`: time between probes.
    pub keep_interval: Duration,
    /// `TCP_KEEPCNT`: probes without an answer before the connection ends.
    pub keep_count: u8,
    /// `TCP_SYNCNT`: how often a SYN is repeated.
    pub syn_retries: u8,
    /// `TCP_USER_TIMEOUT` (RFC 5482, for this side): how long data may wait for its acknowledgment.
    pub user_timeout: Option<Duration>,
    /// `SO_LINGER`: nothing left on close resets the connection. Waiting is the caller's.
    pub linger: Option<Duration>,
    /// `TCP_LINGER2`: how long a closed connection waits for the other side's FIN.
    pub fin_timeout: Duration,
    /// `TCP_MAXSEG`: the longest payload of a segment.
    pub segment_size: Option<u16>,
    /// `TCP_WINDOW_CLAMP`: the largest window to offer.
    pub window_clamp: Option<u32>,
    /// `TCP_NOTSENT_LOWAT`: it is ready for writing only while fewer bytes are unsent.
    pub unsent_low_water: Option<u32>,
    /// `SO_RCVLOWAT`: it is ready for reading from so many bytes on.
    pub receive_low_water: u32,
    /// `SO_SNDBUF`, in bytes of memory, 1,280 for each packet among them: the send queue does not tune itself. Less
    /// than 4,608 counts as that.
    pub send_limit: Option<u32>,
    /// `SO_RCVBUF`, in bytes: the receive window does not tune itself.
    pub receive_limit: Option<u32>,
    /// `TCP_DEFER_ACCEPT`: a connection is accepted when its first data is there.
    pub defer_accept: bool,
    /// `IP_TOS`, `IPV6_TCLASS`, without the bits of congestion notification.
    pub traffic_class: u8,
    /// `IP_TTL`, `IPV6_UNICAST_HOPS`; 0: the network's.
    pub hop_limit: u8,
    /// `SO_BINDTODEVICE`: the interface by its number; 0: any.
    pub interface: u32,
    /// `SO_TIMESTAMPING`: moments of what is written that the program wants to be told.
    pub moments: Moments,
    /// `TCP_FASTOPEN_CONNECT`: a SYN asks for a cookie of fast open (RFC 7413), and waits for the first write if one is
    /// known.
    pub fast_open: bool,
    /// Packets leave at the pace of the window, and so many bytes a second at most (`SO_MAX_PACING_RATE`); `None`: as
    /// soon as they may.
    pub pacing: Option<u64>,
    /// Ask for explicit congestion notification (RFC 3168) when connecting.
    pub congestion_notification: bool,
}

impl Default for Settings {
    /// As Linux has them: Documentation/networking/ip-sysctl.rst.
    fn default() -> Self {
        Self {
            reuse_address: false,
            reuse_port: false,
            only_v6: false,
            no_delay: false,
            cork: false,
            quick_acknowledge: false,
            urgent_inline: false,
            keep_alive: false,
            keep_idle: Duration::from_secs(7200),
            keep_interval: Duration::from_secs(75),
            keep_count: 9,
            syn_retries: 6,
            user_timeout: None,
            linger: None,
            fin_timeout: Duration::from_secs(60),
            segment_size: None,
            window_clamp: None,
            unsent_low_water: None,
            receive_low_water: 1,
            send_limit: None,
            receive_limit: None,
            defer_accept: false,
            traffic_class: 0,
            hop_limit: 0,
            interface: 0,
            moments: Moments::empty(),
            fast_open: false,
            pacing: None,
            congestion_notification: false,
        }
    }
}

/// When TCP looks for itself what a path carries: RFC 4821.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathProbing {
    /// What ICMP says is all.
    Never,
    /// When nothing that is long arrives.
    #[default]
    AfterSilence,
    /// From the beginning of each connection.
    Always,
}

/// What the machine gives to TCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Sockets at once, connections that nobody owns any more among them.
    pub sockets: u32,
    /// Bytes held in the queues of all sockets. Above half of it windows stop growing, above all of it a socket that
    /// holds something gets no more.
    pub memory: usize,
    /// Connections that are closed by their owner and not yet over: beyond that they are reset.
    pub orphans: u32,
    /// Connections in TIME-WAIT: beyond that they end at once.
    pub time_waits: u32,
    /// Connections of one listener whose handshake is under way: beyond that cookies are sent (RFC 4987, 3.6).
    pub half_open: u32,
    /// Cookies are sent whatever there is room for.
    pub always_cookies: bool,
    /// The receive queue that a connection begins with, in bytes, unless `SO_RCVBUF` says another one.
    pub first_receive_queue: u32,
    /// The largest window that tunes itself, in bytes.
    pub receive_window: u32,
    /// The send queue that a connection begins with, in bytes, where ten segments do not want more.
    pub first_send_queue: u32,
    /// The largest send queue that tunes itself, in bytes.
    pub send_queue: u32,
    /// As [`Settings::unsent_low_water`], for sockets that say nothing.
    pub unsent_low_water: u32,
    /// Segments that are handed down together at least, where there are as many.
    pub least_burst: u32,
    /// New connections speak timestamps: RFC 7323.
    pub timestamps: bool,
    /// When TCP looks for itself what a path carries.
    pub path_probing: PathProbing,
    /// The payload of a segment that any path is believed to carry: a search begins there.
    pub base_segment: u16,
    /// A connection that was idle begins with a small congestion window again: RFC 2861.
    pub restarts_after_idle: bool,
    /// Who asks for congestion notification gets it: RFC 3168.
    pub answers_notification: bool,
    /// A packet that is less than this part of the window waits for more, if there is nothing to lose.
    pub burst_divisor: u32,
}

impl Limits {
    /// Those of a machine that has `memory` bytes for everything (`usize::MAX`: more than enough). Queues get a
    /// sixteenth, for a segment's buffer may be eight times its payload, and sockets a quarter, with what is beside
    /// their queues. What is to be of one size whatever there is stays.
    #[must_use]
    pub fn of_memory(memory: usize) -> Self {
        /// Bytes of a connection with its places in tables, at most, and of one in TIME-WAIT or half open.
        const CONNECTION: usize = 1024;
        const SMALL: usize = 128;
        let usual = Self::default();
        let count = |most: u32, size: usize| most.min(u32::try_from(memory / 4 / size).unwrap_or(u32::MAX));
        let queues = memory / 16;
        let queue = |most: u32, parts: usize| most.min(u32::try_from(queues / parts).unwrap_or(u32::MAX));
        Self {
            sockets: count(usual.sockets, CONNECTION),
            memory: usual.memory.min(queues),
            orphans: count(usual.orphans, 8 * CONNECTION),
            time_waits: count(usual.time_waits, 4 * SMALL),
            half_open: count(usual.half_open, 16 * SMALL),
            first_receive_queue: queue(usual.first_receive_queue, 4),
            receive_window: queue(usual.receive_window, 2),
            first_send_queue: queue(usual.first_send_queue, 4),
            send_queue: queue(usual.send_queue, 2),
            ..usual
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sockets: 1 << 20,
            memory: 64 << 20,
            orphans: 4096,
            time_waits: 16_384,
            half_open: 256,
            always_cookies: false,
            first_receive_queue: 64 << 10,
            receive_window: 6 << 20,
            first_send_queue: 16 << 10,
            send_queue: 4 << 20,
            unsent_low_water: u32::MAX,
            path_probing: PathProbing::AfterSilence,
            base_segment: 1024,
            least_burst: 2,
            timestamps: true,
            restarts_after_idle: true,
            answers_notification: true,
            burst_divisor: 3,
        }
    }
}
