//! A connection: RFC 9293 from the SYN to the last acknowledgment.
//!
//! What each segment touches lies together; what few connections have is in a box that is made when first needed. The
//! sender's and the receiver's half have their own structures; each file here is one walk over them.

mod acknowledge;
mod alone;
mod close;
mod data;
mod doubt;
mod emit;
mod fast_open;
mod gather;
mod halves;
mod hold;
mod input;
mod lengths;
mod loss;
mod near;
mod open;
mod output;
mod pacing;
mod predicted;
mod search;
mod stamps;
mod syn;
mod tell;
mod timeout;
mod timers;
mod user;
mod write;

pub use close::reset_reply;
pub use halves::{Challenges, Rare, Receiver, Sender, Urgent};
pub use open::Passive;
pub use search::Search;
pub use syn::{first_window, shift_for};

use alloc::{boxed::Box, sync::Arc};

use packets::Instant;

use crate::{Error, Handle, Settings, State, recovery::Episode, tuple::Tuple};

/// Never.
pub const NEVER: Instant = Instant::from_nanos(u64::MAX);

bitflags::bitflags! {
    /// What is so of a connection, or not.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Marks: u64 {
        /// Both sides speak timestamps: RFC 7323.
        const TIMESTAMPS = 1;
        /// The other side speaks SACK: RFC 2018.
        const SACK = 1 << 1;
        /// Both sides scale windows: RFC 7323.
        const SCALED = 1 << 2;
        /// Both sides speak congestion notification: RFC 3168.
        const NOTIFIED = 1 << 3;
        /// Segments carry ECE until CWR comes.
        const ECHO = 1 << 4;
        /// The next segment with new data carries CWR.
        const REDUCED = 1 << 5;
        /// FIN follows what is queued.
        const FIN_QUEUED = 1 << 6;
        /// FIN was sent.
        const FIN_SENT = 1 << 7;
        /// The other side's FIN has come in order.
        const FIN_RECEIVED = 1 << 8;
        /// Its program reads no more.
        const READ_SHUT = 1 << 9;
        /// Nobody owns it any more.
        const ORPHAN = 1 << 10;
        /// Nobody has accepted it yet.
        const UNACCEPTED = 1 << 11;
        /// It is in the list of events.
        const TOLD = 1 << 12;
        /// An acknowledgment is owed at once.
        const ACK_NOW = 1 << 13;
        /// An acknowledgment is owed within 40 ms.
        const ACK_PENDING = 1 << 14;
        /// Its program answers what it reads: acknowledgments ride along.
        const INTERACTIVE = 1 << 15;
        /// A writer waits for room.
        const WANTS_ROOM = 1 << 16;
        /// The congestion window was what held it back.
        const LIMITED = 1 << 17;
        /// It is found by its tuple.
        const LINKED = 1 << 18;
        /// The last write said that more follows.
        const MORE = 1 << 19;
        /// What it held back for more is to go now.
        const PUSH = 1 << 20;
        /// Urgent data is on its way to the other side.
        const URGENT = 1 << 21;
        /// Its port is its own, and given back when it ends.
        const OWNS_PORT = 1 << 22;
        /// It has been in ESTABLISHED.
        const OPENED = 1 << 23;
        /// It came from a listener.
        const PASSIVE = 1 << 24;
        /// Its error has been seen as the result of connecting.
        const CONNECT_SEEN = 1 << 25;
        /// The path was told to carry less.
        const PATH_SHRUNK = 1 << 26;
        /// The other side wants what it has sent to be read soon.
        const PUSHED = 1 << 27;
        /// What the path carries is searched.
        const SEARCHING = 1 << 28;
        /// The segment that is being sent is a probe of the path.
        const PATH_PROBE = 1 << 29;
        /// This machine had no room for the last segment.
        const REFUSED = 1 << 30;
        /// The next packet waits for its moment.
        const PACED = 1 << 31;
        /// There is too little room for a writer, who may find out by asking (poll(2)).
        const NO_ROOM = 1 << 32;
        /// What may be sent waits for more segments that have come at the same moment.
        const GATHERS = 1 << 33;
        /// Its end is handed over to the other end of this machine, and not sent.
        const HANDS_END = 1 << 34;
    }
}

/// Which of the sender's timers runs: there is one for all, as only one makes sense at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timer {
    /// RFC 6298.
    #[default]
    Retransmit,
    /// RFC 8985, 7.
    Probe,
    /// RFC 8985, 6.2 step 5: something may be late or lost.
    Reorder,
    /// RFC 9293, 3.8.6.1: the other side's window is closed.
    Persist,
    /// What was held back for more goes.
    Cork,
}

/// The way down, without the source, which the tuple has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Path {
    pub interface: u32,
    /// When the network was last told that the other side answers, in milliseconds.
    pub confirmed_at: u32,
    pub burst: u32,
    pub payload: u16,
    /// It ends at this machine.
    pub near: bool,
}

/// A connection, from its SYN on.
#[derive(Debug)]
pub struct Connection<C> {
    pub send: Sender<C>,
    pub receive: Receiver,
    pub tuple: Tuple,
    pub state: State,
    pub marks: Marks,
    pub path: Path,
    /// What is added to the clock in timestamps.
    pub clock: u32,
    pub handle: Handle,
    pub error: Option<Error>,
    /// Keepalive, FIN-WAIT-2: what may wait long.
    pub slow_at: Instant,
    pub settings: Arc<Settings>,
    pub rare: Option<Box<Rare>>,
    /// The recovery that is on, or the last one, whose reason may yet prove wrong.
    pub episode: Option<Box<Episode<C>>>,
    /// Its chain in the table.
    pub link: u32,
    /// When the other side was heard last: keepalive.
    pub alive: Instant,
    /// Bytes received in order, and acknowledged by the other side.
    pub totals: (u64, u64),
}

impl<C> Connection<C> {
    /// The clock of timestamps.
    pub const fn clock(&self, millis: u32) -> u32 {
        millis.wrapping_add(self.clock)
    }

    /// Whether it has kept memory for what comes next.
    pub fn keeps_memory(&self) -> bool {
        self.send.queue.keeps_memory() || self.receive.queue.keeps_memory()
    }

    /// Gives memory back that an idle connection does not want. Whoever is idle is looked at once, by the deadline that
    /// has not been taken out.
    pub fn release(&mut self) {
        if self.send.records.is_empty() {
            self.episode = None;
        }
        self.send.records.release();
        self.send.queue.release();
        self.send.pieces.release();
        self.receive.queue.release();
    }

    pub fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    pub const fn is(&self, marks: Marks) -> bool {
        self.marks.intersects(marks)
    }

    /// Whether both directions have been opened, and its end is not over.
    pub const fn is_synchronized(&self) -> bool {
        !matches!(self.state, State::Closed | State::Listen | State::SynSent | State::SynReceived)
    }

    /// When it wants to be looked at.
    pub fn due(&self) -> Instant {
        let due = self.send.timer_at.min(self.receive.owed_at).min(self.slow_at);
        if self.is(Marks::PACED) { due.min(self.departure()) } else { due }
    }

    /// Its own memory and that of its parts.
    #[cfg(test)]
    pub fn footprint(&self) -> usize {
        let rare = self.rare.as_ref().map_or(0, |_| size_of::<Rare>());
        let early = self.receive.early.as_ref().map_or(0, |_| size_of::<crate::receive::Reassembly>());
        let queues = self.send.queue.footprint() + self.receive.queue.footprint() + self.send.records.footprint();
        let queues = queues + self.send.pieces.footprint();
        let episode = self.episode.as_ref().map_or(0, |_| size_of::<Episode<C>>());
        size_of::<Self>() + rare + early + episode + queues
    }

    /// Bytes that it holds.
    pub fn held(&self) -> usize {
        let early = self.receive.early.as_ref().map_or(0, |early| early.held());
        self.send.queue.len() + self.receive.queue.len() + early
    }
}
