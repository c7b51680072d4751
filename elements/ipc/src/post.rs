//! Message queues with names and priorities: mq_overview(7). Who knows their names is above.
//!
//! As in System V's queues a message is handed to who waits for it, and comes in as soon as there is room; here the
//! thread of the greatest priority comes first, and the one that has waited longest among those.

use alloc::{
    boxed::Box,
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    vec::Vec,
};
use core::task::Waker;

use crate::{Error, Ticket};

/// Priorities are below this (MQ_PRIO_MAX).
pub const PRIORITIES: u32 = 32_768;
/// Most queues of those who may not pass by limits (`/proc/sys/fs/mqueue/queues_max`).
pub const MOST: usize = 256;
/// Bytes that Linux counts for each message beside its own, and for each priority in use.
const HEAD: u64 = 48;

/// How many messages fit into a queue, and how long they may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// Messages.
    pub most: usize,
    /// Bytes of one.
    pub longest: usize,
}

impl Attributes {
    /// What a queue has for which nobody says anything else, and the most that everybody may ask for (`msg_max`,
    /// `msgsize_max`).
    pub const USUAL: Self = Self { most: 10, longest: 8192 };
    /// The most that one may ask for who may pass by limits.
    const GREATEST: Self = Self { most: 65_536, longest: 16 << 20 };

    /// [`Error::Invalid`] for what no queue may have.
    pub const fn check(self, passes: bool) -> Result<(), Error> {
        let limit = if passes { Self::GREATEST } else { Self::USUAL };
        let fits = self.most > 0 && self.longest > 0 && self.most <= limit.most && self.longest <= limit.longest;
        if fits { Ok(()) } else { Err(Error::Invalid) }
    }

    /// Bytes that it counts for (RLIMIT_MSGQUEUE).
    #[must_use]
    pub const fn cost(self) -> u64 {
        let (most, priorities) = (self.most as u64, if self.most < 32_768 { self.most as u64 } else { 32_768 });
        (most + priorities) * HEAD + most * self.longest as u64
    }
}

/// A message and its priority.
pub type Letter = (u32, Box<[u8]>);

/// How a wait ended: with a message for who wanted one.
pub type Ended = Result<Option<Letter>, Error>;

/// One who would wait: what wakes him, and his priority, a greater one first.
pub type Patient = (Waker, u8);

type Place = (u8, u64);

/// What one who waits holds.
#[derive(Debug)]
pub struct Wait {
    /// Called when it has ended.
    pub ticket: Arc<Ticket<Ended>>,
    place: Place,
}

/// What became of a message.
#[derive(Debug)]
pub enum Sent<N> {
    /// It is on its way, and whoever wanted to hear of the first one in an empty queue is to be told.
    Done(Option<N>),
    /// There is no room yet.
    Wait(Wait),
}

/// A queue; who is to be told of a message is an `N`.
#[derive(Debug)]
pub struct Post<N> {
    /// What it was made with.
    pub attributes: Attributes,
    /// Who wants to hear of the next message in the empty queue (mq_notify(3)).
    pub notice: Option<N>,
    letters: BTreeMap<u32, VecDeque<Box<[u8]>>>,
    count: usize,
    bytes: u64,
    receivers: BTreeMap<Place, Arc<Ticket<Ended>>>,
    senders: BTreeMap<Place, (Letter, Arc<Ticket<Ended>>)>,
    next: u64,
}

impl<N> Post<N> {
    /// An empty queue.
    #[must_use]
    pub const fn new(attributes: Attributes) -> Self {
        Self {
            attributes,
            notice: None,
            letters: BTreeMap::new(),
            count: 0,
            bytes: 0,
            receivers: BTreeMap::new(),
            senders: BTreeMap::new(),
            next: 0,
        }
    }

    /// Messages that wait to be received.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Their bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether another message fits.
    #[must_use]
    pub const fn has_room(&self) -> bool {
        self.count < self.attributes.most
    }

    fn wait(&mut self, (waker, priority): Patient) -> Wait {
        self.next += 1;
        Wait { ticket: Ticket::new(waker), place: (u8::MAX - priority, self.next) }
    }

    /// mq_timedsend(3): [`Error::WouldBlock`] for one who does not wait.
    pub fn send(&mut self, letter: Letter, patient: Option<Patient>) -> Result<Sent<N>, Error> {
        if letter.1.len() > self.attributes.longest {
            return Err(Error::TooLong);
        }
        if let Some((_, receiver)) = self.receivers.pop_first() {
            receiver.call(Ok(Some(letter)));
            return Ok(Sent::Done(None));
        }
        if self.has_room() {
            let was_empty = self.count == 0;
            self.put(letter);
            return Ok(Sent::Done(if was_empty { self.notice.take() } else { None }));
        }
        let wait = self.wait(patient.ok_or(Error::WouldBlock)?);
        self.senders.insert(wait.place, (letter, Arc::clone(&wait.ticket)));
        Ok(Sent::Wait(wait))
    }

    fn put(&mut self, (priority, bytes): Letter) {
        self.count += 1;
        self.bytes += bytes.len() as u64;
        self.letters.entry(priority).or_default().push_back(bytes);
    }

    /// mq_timedreceive(3) into `room` bytes, of which there must be enough for the longest message: the first of the
    /// highest priority, or what to wait with.
    pub fn receive(&mut self, room: usize, patient: Option<Patient>) -> Result<Result<Letter, Wait>, Error> {
        if room < self.attributes.longest {
            return Err(Error::TooLong);
        }
        let Some(mut line) = self.letters.last_entry() else {
            let wait = self.wait(patient.ok_or(Error::WouldBlock)?);
            self.receivers.insert(wait.place, Arc::clone(&wait.ticket));
            return Ok(Err(wait));
        };
        let priority = *line.key();
        let bytes = line.get_mut().pop_front().unwrap_or_default();
        if line.get().is_empty() {
            line.remove();
        }
        self.count -= 1;
        self.bytes -= bytes.len() as u64;
        if let Some((_, (letter, sender))) = self.senders.pop_first() {
            self.put(letter);
            sender.call(Ok(None));
        }
        Ok(Ok((priority, bytes)))
    }

    /// Gives a wait up: how it ended if it had, else `None`.
    pub fn give_up(&mut self, wait: &Wait) -> Option<Ended> {
        let ended = wait.ticket.take();
        if ended.is_none() {
            self.receivers.remove(&wait.place);
            self.senders.remove(&wait.place);
        }
        ended
    }
}

/// Whether a name may be a queue's: what the C library leaves of it has no slash.
#[must_use]
pub fn is_name(name: &[u8]) -> bool {
    !matches!(name, b"" | b"." | b"..") && !name.contains(&b'/')
}

/// What reading the descriptor of a queue tells: bytes, and who is told of a message: how, by which signal, and of
/// which process.
#[must_use]
pub fn text(bytes: u64, notice: Option<(i32, u32, u32)>) -> Vec<u8> {
    let (how, signal, process) = notice.unwrap_or_default();
    let mut text = Vec::new();
    let fields = [
        ("QSIZE:", bytes, 10),
        (" NOTIFY:", how.unsigned_abs().into(), 5),
        (" SIGNO:", signal.into(), 5),
        (" NOTIFY_PID:", process.into(), 6),
    ];
    for (name, number, width) in fields {
        text.extend_from_slice(name.as_bytes());
        let begin = text.len();
        digits(&mut text, number);
        text.resize(text.len().max(begin + width), b' ');
    }
    text.push(b'\n');
    text
}

fn digits(out: &mut Vec<u8>, number: u64) {
    let begin = out.len();
    let mut rest = number;
    loop {
        out.insert(begin, b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            return;
        }
    }
}
