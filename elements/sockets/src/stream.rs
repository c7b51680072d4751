//! What is known about a connection: RFC 9293, and what Linux tells by `TCP_INFO`.

use core::time::Duration;

/// What a connection does: RFC 9293, 3.3.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the document's")]
pub enum State {
    Established,
    SynSent,
    SynReceived,
    FinWait1,
    FinWait2,
    TimeWait,
    #[default]
    Closed,
    CloseWait,
    LastAck,
    Listen,
    Closing,
}

/// How loss is dealt with: RFC 5681, RFC 6675, RFC 8985.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

/// A connection. Segments are full ones, times are spans up to now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// What it does.
    pub state: State,
    /// How loss is dealt with now.
    pub phase: Phase,
    /// Timeouts without an answer since.
    pub retransmissions: u8,
    /// Probes without an answer.
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
    /// Bytes of the longest packet on the path.
    pub path_mtu: u32,
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
    /// The smoothed round-trip time.
    pub round_trip: Duration,
    /// Its variation.
    pub round_trip_variation: Duration,
    /// The shortest one.
    pub shortest_round_trip: Duration,
    /// The congestion window in segments.
    pub congestion_window: u32,
    /// The slow start threshold in segments, once there is one.
    pub slow_start_threshold: Option<u32>,
    /// The other side's window in bytes.
    pub send_window: u32,
    /// The window that is offered, in bytes.
    pub receive_window: u32,
    /// Bytes that wait to be read; of who listens connections that wait to be accepted.
    pub unread: u32,
    /// Bytes that are not acknowledged (`SIOCOUTQ`); of who listens how many may wait.
    pub queued: u32,
    /// Bytes that are not sent yet (`SIOCOUTQNSD`).
    pub unsent: u32,
    /// Bytes that the send queue may hold.
    pub send_limit: u32,
    /// Bytes that the receive queue may hold.
    pub receive_limit: u32,
    /// Bytes acknowledged by the other side.
    pub bytes_acknowledged: u64,
    /// Bytes received in order.
    pub bytes_received: u64,
    /// How many segments behind later ones something has arrived.
    pub reordering: u32,
    /// How often that was seen.
    pub reorderings: u32,
    /// Retransmissions that the other side told to be needless.
    pub duplicates_told: u32,
    /// Since data was sent last, since some came last, and since anything did.
    pub since: [Duration; 3],
    /// For how long it had something to send; of this held back by the other's window, and by the send queue.
    pub busy: [Duration; 3],
}
