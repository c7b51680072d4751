//! What a connection keeps of each direction, and what few connections have.

use alloc::boxed::Box;

use packets::{Instant, tcp::SequenceNumber};

use super::{Search, Timer};
use crate::{
    Error,
    congestion::Window,
    fast_open::Opening,
    info::Hold,
    receive,
    recovery::Recovery,
    round_trip::RoundTrip,
    send::{self, Records},
};

/// The sender's half.
#[derive(Debug)]
pub struct Sender<C> {
    /// SND.UNA.
    pub una: SequenceNumber,
    /// SND.NXT: all before it has been sent.
    pub next: SequenceNumber,
    /// SND.WND in bytes.
    pub window: u32,
    /// SND.WL1 and SND.WL2.
    pub window_at: (SequenceNumber, SequenceNumber),
    /// The largest SND.WND so far.
    pub largest_window: u32,
    /// The payload of a full segment.
    pub size: u16,
    /// What the other side takes: its MSS option.
    pub most: u16,
    /// The other side's shift.
    pub shift: u8,
    pub timer: Timer,
    /// When the timer runs out.
    pub timer_at: Instant,
    /// When the retransmission timeout began to run.
    pub waiting_since: Instant,
    pub congestion: Window,
    pub policy: C,
    pub records: Records,
    pub queue: send::Queue,
    pub pieces: send::Pieces,
    /// What the queue may hold, in bytes of memory, where it tunes itself.
    pub limit: u32,
    /// Behind the last byte that its program wants to be read soon.
    pub pushed: SequenceNumber,
    pub recovery: Recovery,
    pub round_trip: RoundTrip,
    /// The end of the last segment that was not full: Minshall's rule for Nagle.
    pub small_until: SequenceNumber,
    /// Behind the urgent byte: SND.UP.
    pub urgent: SequenceNumber,
    /// The end of a round: what was sent when it began.
    pub round_end: SequenceNumber,
    /// No record before it is lost and not sent again.
    pub repair_from: SequenceNumber,
    /// When something was sent last.
    pub last_sent: Instant,
    /// The most segments in flight of late, until `most_until`.
    pub most_in_flight: u32,
    pub most_until: SequenceNumber,
    /// Timeouts or window probes without an answer.
    pub tries: u8,
    /// What holds it back now, since when, and for how long there was something to send, in milliseconds.
    pub hold: Hold,
    pub hold_since: u32,
    pub busy: u32,
}

/// The receiver's half.
#[derive(Debug)]
pub struct Receiver {
    /// RCV.NXT.
    pub next: SequenceNumber,
    /// The end of the window that was offered: RCV.NXT + RCV.WND. It never moves back.
    pub window_end: SequenceNumber,
    /// RCV.NXT as it was told last: Last.ACK.sent.
    pub told: SequenceNumber,
    /// Our shift.
    pub shift: u8,
    /// So many segments are acknowledged at once.
    pub quick: u8,
    /// The payload of the segments that come, as far as seen.
    pub size: u16,
    /// TS.Recent, and when it was set, in milliseconds.
    pub recent: u32,
    pub recent_at: u32,
    /// Bytes that the queue may hold.
    pub limit: u32,
    pub queue: receive::Queue,
    pub early: Option<Box<receive::Reassembly>>,
    pub tuning: receive::Tuning,
    /// A round trip as the receiver sees it, in microseconds.
    pub round_trip: u32,
    /// When an acknowledgment is owed.
    pub owed_at: Instant,
    /// When data came last.
    pub heard: Instant,
}

/// What few connections have.
#[derive(Debug, Default)]
pub struct Rare {
    /// Where the urgent byte is, and whether it was read.
    pub urgent: Option<Urgent>,
    /// The number of a FIN that came before data that is missing.
    pub fin: Option<SequenceNumber>,
    /// What came twice: RFC 2883.
    pub duplicate: Option<(SequenceNumber, SequenceNumber)>,
    /// When the first timeout of those that follow each other was.
    pub silent_since: Option<Instant>,
    /// Probes of a silent connection without an answer.
    pub probes: u8,
    /// What ICMP said while the connection was established: RFC 5461.
    pub soft: Option<Error>,
    /// Retransmissions in all, and those that were told to be needless.
    pub retransmitted: u32,
    pub needless: u32,
    pub challenges: Challenges,
    /// What is known of the path, while that is searched.
    pub search: Option<Box<Search>>,
    /// For how long the other side's window or the send queue held it back, in milliseconds.
    pub held: (u32, u32),
    /// Moments of what was written.
    pub stamps: Option<Box<super::stamps::Stamps>>,
    pub pace: super::pacing::Pace,
    /// What the SYN of a fast open carries.
    pub opening: Option<Opening>,
    /// Stretches of lent memory in the open piece.
    pub lent: u8,
}

/// Urgent data as Linux has it: one byte.
#[derive(Clone, Copy, Debug)]
pub struct Urgent {
    pub at: SequenceNumber,
    /// It was read, out of the stream.
    pub read: bool,
}

/// The budget of challenges: RFC 5961, 7, with a random size (CVE-2016-5696).
#[derive(Clone, Copy, Debug, Default)]
pub struct Challenges {
    /// The second that it is for.
    pub second: u32,
    pub left: u8,
    /// When a segment out of the window was answered last, in milliseconds.
    pub answered: Option<u32>,
}
