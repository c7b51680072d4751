//! One queue: its messages, and who waits for one or for room.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};
use core::task::Waker;

use super::{Contents, Message, Selection, USUAL_ROOM};
use crate::{Error, Ticket};

/// How a wait ended: with a message for who wanted one. [`Error::WouldBlock`] says that a receiver is to ask again, a
/// sender's own message that he is.
pub type Ended = Result<Option<Message>, Error>;

/// What one who waits holds.
#[derive(Debug)]
pub struct Wait {
    /// Called when it has ended.
    pub ticket: Arc<Ticket<Ended>>,
    order: u64,
}

impl Wait {
    /// How it ended, if it has.
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        self.ticket.take()
    }
}

/// What a receiver wants.
#[derive(Clone, Copy, Debug)]
pub struct Receive {
    /// Which message.
    pub selection: Selection,
    /// How long it may be: [`Error::TooLong`] for more.
    pub room: usize,
}

#[derive(Debug)]
struct Receiver {
    wanted: Receive,
    process: u32,
    ticket: Arc<Ticket<Ended>>,
}

#[derive(Debug)]
struct Sender {
    message: Message,
    process: u32,
    ticket: Arc<Ticket<Ended>>,
}

/// A queue.
#[derive(Debug)]
pub struct Queue {
    /// The messages.
    pub contents: Contents,
    /// Bytes, and messages, that it holds.
    pub room: u64,
    /// Who sent and received last.
    pub sender: u32,
    /// See `sender`.
    pub receiver: u32,
    /// When somebody sent, received and changed it last, in seconds; 0 for never.
    pub sent_at: i64,
    /// See `sent_at`.
    pub received_at: i64,
    /// See `sent_at`.
    pub changed_at: i64,
    receivers: BTreeMap<u64, Receiver>,
    senders: BTreeMap<u64, Sender>,
    next: u64,
}

impl Queue {
    pub(super) fn new(now: i64) -> Self {
        Self {
            contents: Contents::default(),
            room: USUAL_ROOM,
            sender: 0,
            receiver: 0,
            sent_at: 0,
            received_at: 0,
            changed_at: now,
            receivers: BTreeMap::new(),
            senders: BTreeMap::new(),
            next: 0,
        }
    }

    fn has_room(&self, length: usize) -> bool {
        self.contents.bytes() + length as u64 <= self.room && (self.contents.count() as u64) < self.room
    }

    fn wait(&mut self, waker: Waker) -> Wait {
        self.next += 1;
        Wait { ticket: Ticket::new(waker), order: self.next }
    }

    pub(super) fn send<W: FnOnce() -> Waker>(
        &mut self,
        message: Message,
        process: u32,
        now: i64,
        waker: Option<W>,
    ) -> Result<Option<Wait>, Error> {
        if self.has_room(message.bytes.len()) {
            self.put(message, process, now);
            return Ok(None);
        }
        let wait = self.wait(waker.ok_or(Error::WouldBlock)?());
        let ticket = Arc::clone(&wait.ticket);
        self.senders.insert(wait.order, Sender { message, process, ticket });
        Ok(Some(wait))
    }

    /// A message has been sent: the first who waits for one like it has it, or the queue.
    fn put(&mut self, message: Message, process: u32, now: i64) {
        (self.sender, self.sent_at) = (process, now);
        while let Some(order) = self.receiver_of(message.kind)
            && let Some(receiver) = self.receivers.remove(&order)
        {
            if message.bytes.len() > receiver.wanted.room {
                receiver.ticket.call(Err(Error::TooLong));
                continue;
            }
            (self.receiver, self.received_at) = (receiver.process, now);
            receiver.ticket.call(Ok(Some(message)));
            return;
        }
        self.contents.push(message);
    }

    fn receiver_of(&self, kind: i64) -> Option<u64> {
        self.receivers.iter().find(|(_, receiver)| receiver.wanted.selection.takes(kind)).map(|(&order, _)| order)
    }

    pub(super) fn receive<W: FnOnce() -> Waker>(
        &mut self,
        wanted: Receive,
        process: u32,
        now: i64,
        waker: Option<W>,
    ) -> Result<Result<Message, Wait>, Error> {
        let length = self.contents.first(wanted.selection).map(|message| message.bytes.len());
        if length.is_some_and(|length| length > wanted.room) {
            return Err(Error::TooLong);
        }
        if let Some(message) = self.contents.take(wanted.selection) {
            (self.receiver, self.received_at) = (process, now);
            self.let_in(now);
            return Ok(Ok(message));
        }
        let wait = self.wait(waker.ok_or(Error::NoMessage)?());
        let ticket = Arc::clone(&wait.ticket);
        self.receivers.insert(wait.order, Receiver { wanted, process, ticket });
        Ok(Err(wait))
    }

    /// There may be room: those who wait for it send, the longest waiting first, as far as each one's message fits.
    fn let_in(&mut self, now: i64) {
        let orders: Vec<u64> = if self.has_room(0) { self.senders.keys().copied().collect() } else { Vec::new() };
        for order in orders {
            let fits = self.senders.get(&order).is_some_and(|sender| self.has_room(sender.message.bytes.len()));
            if fits && let Some(sender) = self.senders.remove(&order) {
                self.put(sender.message, sender.process, now);
                sender.ticket.call(Ok(None));
            }
        }
    }

    /// It holds so many bytes from now on, and whoever waits asks again, for others may be let in now (IPC_SET).
    pub fn change(&mut self, room: u64, now: i64) {
        (self.room, self.changed_at) = (room, now);
        self.call_receivers(Error::WouldBlock);
        for sender in core::mem::take(&mut self.senders).into_values() {
            sender.ticket.call(Ok(Some(sender.message)));
        }
    }

    fn call_receivers(&mut self, why: Error) {
        for receiver in core::mem::take(&mut self.receivers).into_values() {
            receiver.ticket.call(Err(why));
        }
    }

    pub(super) fn forget(&mut self, wait: &Wait) {
        self.receivers.remove(&wait.order);
        self.senders.remove(&wait.order);
    }

    /// Nobody waits any more: the queue is gone.
    pub(super) fn send_away(mut self) {
        self.call_receivers(Error::Removed);
        for sender in self.senders.into_values() {
            sender.ticket.call(Err(Error::Removed));
        }
    }
}
