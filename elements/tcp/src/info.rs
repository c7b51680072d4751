//! What is told about a connection and about the whole: `TCP_INFO`, `/proc/net/snmp`, `/proc/net/netstat`.

use core::{net::SocketAddr, time::Duration};

use packets::Instant;

use crate::State;

/// What `TCP_INFO` and `/proc/net/tcp` tell about a socket. Segments are full ones; spans are from now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// Its state.
    pub state: State,
    /// How loss is dealt with now.
    pub phase: Phase,
    /// Its own address.
    pub local: SocketAddr,
    /// The other's, or nothing but zeros.
    pub remote: SocketAddr,
    /// Timeouts without an answer since.
    pub retransmissions: u8,
    /// Probes of a closed window or a silent connection without an answer.
    pub probes: u8,
    /// How often the retransmission timeout was doubled.
    pub backoff: u8,
    /// Both sides speak timestamps.
    pub timestamps: bool,
    /// Both sides speak SACK.
    pub selective: bool,
    /// Both sides speak explicit congestion notification.
    pub congestion_notification: bool,
    /// The other's shift of windows and ours, if both speak it.
    pub window_shifts: Option<(u8, u8)>,
    /// The retransmission timeout.
    pub retransmission_timeout: Duration,
    /// Bytes of payload in a full segment to the other side.
    pub send_segment: u32,
    /// And as they come from there.
    pub receive_segment: u32,
    /// The longest payload of IP on the path.
    pub path_payload: u32,
    /// Segments sent and not acknowledged.
    pub unacknowledged: u32,
    /// Of these, told by SACK.
    pub selectively_acknowledged: u32,
    /// Of these, held for lost.
    pub lost: u32,
    /// Of these, sent again.
    pub retransmitted: u32,
    /// Segments sent again so far.
    pub retransmitted_total: u32,
    /// The smoothed round-trip time; 0: none measured.
    pub round_trip: Duration,
    /// Its variation.
    pub round_trip_variation: Duration,
    /// The shortest one.
    pub shortest_round_trip: Duration,
    /// The congestion window in segments.
    pub congestion_window: u32,
    /// The slow start threshold in segments.
    pub slow_start_threshold: u32,
    /// The other side's window in bytes.
    pub send_window: u32,
    /// The window that we offer, in bytes.
    pub receive_window: u32,
    /// Bytes that wait to be read (`SIOCINQ`). For a listener connections that wait to be accepted.
    pub readable: u32,
    /// Bytes that are not acknowledged yet (`SIOCOUTQ`). For a listener its backlog.
    pub queued: u32,
    /// Bytes that are not sent yet (`SIOCOUTQNSD`).
    pub unsent: u32,
    /// Bytes that the send queue may hold.
    pub send_limit: u32,
    /// Bytes that the receive queue may hold.
    pub receive_limit: u32,
    /// Bytes of payload acknowledged by the other side.
    pub bytes_acknowledged: u64,
    /// Bytes of payload received in order.
    pub bytes_received: u64,
    /// How many segments behind later ones something has arrived, at the most; 3 at first.
    pub reordering: u32,
    /// How often that was seen.
    pub reorderings: u32,
    /// Retransmissions that the other side told to be needless (RFC 2883).
    pub duplicates_told: u32,
    /// When data was sent last, and when it came last, or anything if none came. When anything came last.
    pub data_sent: Instant,
    /// See above.
    pub data_received: Instant,
    /// See above.
    pub heard: Instant,
    /// For how long it had something to send, and what held it back.
    pub busy: Busy,
}

impl Info {
    /// Of a socket without a connection.
    pub(crate) const fn of_nobody(nobody: SocketAddr) -> Self {
        Self {
            state: State::Closed,
            phase: Phase::Open,
            local: nobody,
            remote: nobody,
            retransmissions: 0,
            probes: 0,
            backoff: 0,
            timestamps: false,
            selective: false,
            congestion_notification: false,
            window_shifts: None,
            retransmission_timeout: Duration::from_secs(1),
            send_segment: 0,
            receive_segment: 0,
            path_payload: 0,
            unacknowledged: 0,
            selectively_acknowledged: 0,
            lost: 0,
            retransmitted: 0,
            retransmitted_total: 0,
            round_trip: Duration::ZERO,
            round_trip_variation: Duration::ZERO,
            shortest_round_trip: Duration::ZERO,
            congestion_window: 0,
            slow_start_threshold: 0,
            send_window: 0,
            receive_window: 0,
            readable: 0,
            queued: 0,
            unsent: 0,
            send_limit: 0,
            receive_limit: 0,
            bytes_acknowledged: 0,
            bytes_received: 0,
            duplicates_told: 0,
            reordering: 3,
            reorderings: 0,
            data_sent: Instant::from_nanos(0),
            data_received: Instant::from_nanos(0),
            heard: Instant::from_nanos(0),
            busy: Busy { now: Hold::Idle, since: 0, all: 0, by_window: 0, by_queue: 0 },
        }
    }
}

/// For how long a connection had something to send, and what held it back: the chronograph of `TCP_INFO`. It counts in
/// milliseconds, and what goes on is counted when it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    pub(crate) now: Hold,
    pub(crate) since: u32,
    pub(crate) all: u32,
    pub(crate) by_window: u32,
    pub(crate) by_queue: u32,
}

/// What holds a connection back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// Nothing is to be sent.
    #[default]
    Idle,
    /// The path, or nothing.
    Path,
    /// The other side's window.
    Window,
    /// The program would write more than the send queue may hold.
    Queue,
}

impl Busy {
    fn sum(&self, now: Instant, what: Hold, sum: u32) -> Duration {
        let runs = self.now == what || what == Hold::Path && self.now != Hold::Idle;
        let more = if runs { (now.as_millis() as u32).wrapping_sub(self.since) } else { 0 };
        Duration::from_millis((sum.wrapping_add(more)).into())
    }

    /// For how long there was something to send.
    #[must_use]
    pub fn all(&self, now: Instant) -> Duration {
        self.sum(now, Hold::Path, self.all)
    }

    /// Of this, held back by the other side's window.
    #[must_use]
    pub fn by_window(&self, now: Instant) -> Duration {
        self.sum(now, Hold::Window, self.by_window)
    }

    /// Of this, held back by the send queue.
    #[must_use]
    pub fn by_queue(&self, now: Instant) -> Duration {
        self.sum(now, Hold::Queue, self.by_queue)
    }
}

/// How loss is dealt with: RFC 5681, RFC 6675, RFC 8985.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing is missing.
    #[default]
    Open,
    /// Something came out of order, or twice.
    Disorder,
    /// The window was reduced for congestion notification.
    Reduced,
    /// Fast recovery.
    Recovery,
    /// A timeout.
    Loss,
}

/// Counts since the start. They wrap never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Statistics {
    pub segments_received: u64,
    pub segments_sent: u64,
    pub segments_retransmitted: u64,
    pub resets_sent: u64,
    pub malformed: u64,
    pub bad_checksums: u64,
    /// Connections whose SYN carried data that was taken: RFC 7413.
    pub fast_opens: u64,
    /// Segments with a signature (RFC 2385), which nobody here has a key for.
    pub signed: u64,
    pub active_opens: u64,
    pub passive_opens: u64,
    pub failed_opens: u64,
    pub resets_received: u64,
    pub cookies_sent: u64,
    pub cookies_accepted: u64,
    pub cookies_refused: u64,
    pub challenges_sent: u64,
    pub accept_overflows: u64,
    pub old_timestamps: u64,
    pub predicted: u64,
    pub timeouts: u64,
    pub loss_probes: u64,
    pub fast_recoveries: u64,
    pub undone_recoveries: u64,
    pub needless_timeouts: u64,
    pub memory_refusals: u64,
    pub orphans_reset: u64,
    pub time_waits: u64,
    pub bad_messages: u64,
}

/// What there is at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sockets, orphans among them.
    pub sockets: u32,
    /// Handshakes under way whose listener has no socket for them yet.
    pub half_open: u32,
    /// Connections in TIME-WAIT.
    pub time_waits: u32,
    /// Connections that nobody owns any more.
    pub orphans: u32,
}
