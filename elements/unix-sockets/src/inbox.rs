//! What has been sent to a socket and waits there.

use alloc::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Weak},
    vec::Vec,
};

use super::{Name, Socket, Who, flight::Cargo};
use vfs::{Moved, ShortSink, ShortSource, Sink};

/// A message, or a piece of a stream.
#[derive(Default)]
pub struct Message {
    pub bytes: Vec<u8>,
    /// Bytes at its beginning that have been received, of a stream.
    pub taken: usize,
    /// What it counts in the inbox.
    pub cost: usize,
    /// What came along.
    pub cargo: Option<Cargo>,
    /// The sender's name.
    pub from: Option<Name>,
    pub who: Who,
}

/// A stream's piece is lengthened up to this many bytes.
const PIECE: usize = 4096;

/// What Linux counts a message beside its bytes: about a `struct sk_buff` and its shared part.
const OVERHEAD: usize = 576;

impl Message {
    pub const fn length(&self) -> usize {
        self.bytes.len() - self.taken
    }

    /// What a message of so many bytes counts.
    pub const fn cost_of(length: usize) -> usize {
        (length + OVERHEAD).next_multiple_of(256)
    }
}

/// Has `source` fill `count` more bytes; `None`, and there are none, if it has not or there is no memory.
fn filled(bytes: &mut Vec<u8>, count: usize, source: ShortSource) -> Moved {
    let length = bytes.len();
    bytes.try_reserve(count).ok()?;
    bytes.resize(length + count, 0);
    let moved = source.fill(&mut bytes[length..]);
    if moved.is_none() {
        bytes.truncate(length);
    }
    moved
}

/// The messages that wait, and who waits to send more.
#[derive(Default)]
pub struct Inbox {
    messages: VecDeque<Message>,
    /// What they count.
    used: usize,
    /// Senders that found no room, by how much may be used for them to find some, and by address.
    senders: BTreeMap<(usize, usize), Weak<Socket>>,
    /// Memory of a stream's piece that has been received, for the next one: at most [`PIECE`].
    spare: Vec<u8>,
}

impl Inbox {
    pub const fn used(&self) -> usize {
        self.used
    }

    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub fn first(&mut self) -> Option<&mut Message> {
        self.messages.front_mut()
    }

    /// Bytes that one read of a stream could get, or the length of the first message.
    pub fn available(&self, is_stream: bool) -> usize {
        let count = if is_stream { usize::MAX } else { 1 };
        self.messages.iter().take(count).map(Message::length).sum()
    }

    /// Adds a message; a piece of a stream may become part of the last one. Answers it when there is no memory.
    pub fn add(&mut self, mut message: Message, is_stream: bool) -> Result<(), Message> {
        if is_stream
            && message.cargo.is_none()
            && let Some(last) = self.messages.back_mut()
            && last.cargo.is_none()
            && last.who == message.who
            && last.bytes.len() + message.bytes.len() <= PIECE
        {
            if last.bytes.try_reserve(message.bytes.len()).is_err() {
                return Err(message);
            }
            last.bytes.extend_from_slice(&message.bytes);
            last.cost += message.bytes.len();
            self.used += message.bytes.len();
            return Ok(());
        }
        message.cost = Message::cost_of(message.bytes.len());
        if self.messages.try_reserve(1).is_err() {
            return Err(message);
        }
        self.used += message.cost;
        self.messages.push_back(message);
        Ok(())
    }

    /// As [`Inbox::add`] for `count` bytes that `source` has, of a stream; `None` if it has not, or if there is no
    /// memory.
    pub fn add_short(&mut self, count: usize, who: Who, source: ShortSource) -> Moved {
        if let Some(last) = self.messages.back_mut()
            && last.cargo.is_none()
            && last.who == who
            && last.bytes.len() + count <= PIECE
        {
            let moved = filled(&mut last.bytes, count, source)?;
            last.cost += count;
            self.used += count;
            return Some(moved);
        }
        self.messages.try_reserve(1).ok()?;
        let moved = filled(&mut self.spare, count, source)?;
        let (bytes, cost) = (core::mem::take(&mut self.spare), Message::cost_of(count));
        self.used += cost;
        self.messages.push_back(Message { bytes, cost, who, ..Message::default() });
        Some(moved)
    }

    /// Gives `sink` at most `count` bytes of a stream and takes them out; how many. `None` if there is more to do than
    /// that.
    pub fn take_short(&mut self, count: usize, sink: ShortSink) -> Moved {
        let is_last = self.messages.len() == 1;
        let first = self.messages.front_mut().filter(|first| first.cargo.is_none())?;
        let left = first.length();
        if !self.senders.is_empty() || count > left && !is_last {
            return None;
        }
        let count = count.min(left);
        if count == 0 {
            return None;
        }
        let moved = sink.put(first.bytes.get(first.taken..first.taken + count)?)?;
        first.taken += count;
        if count == left {
            let mut bytes = self.remove_first().map(|message| message.bytes).unwrap_or_default();
            if bytes.capacity() <= PIECE {
                bytes.clear();
                self.spare = bytes;
            }
        }
        Some(moved)
    }

    pub fn each_cargo(&self, see: &mut dyn FnMut(&Cargo)) {
        self.messages.iter().filter_map(|message| message.cargo.as_ref()).for_each(see);
    }

    /// Leaves the bytes.
    pub fn take_cargo(&mut self, into: &mut Vec<Cargo>) {
        into.extend(self.messages.iter_mut().filter_map(|message| message.cargo.take()));
    }

    /// Takes the first message out.
    pub fn remove_first(&mut self) -> Option<Message> {
        let message = self.messages.pop_front()?;
        self.used -= message.cost;
        Some(message)
    }

    /// Shows bytes of a stream without taking them.
    pub fn peek(&self, sink: &mut dyn Sink) -> usize {
        self.messages.iter().map(|message| sink.put(&message.bytes[message.taken..])).sum()
    }

    /// Remembers a sender that waits until no more than `limit` is used.
    pub fn await_room(&mut self, sender: &Weak<Socket>, limit: usize) {
        self.senders.insert((limit, sender.as_ptr().addr()), sender.clone());
    }

    /// Those for whom there is room now, to be woken.
    pub fn with_room(&mut self) -> Vec<Arc<Socket>> {
        if self.senders.is_empty() {
            return Vec::new();
        }
        let found = self.senders.split_off(&(self.used, 0));
        found.into_values().filter_map(|sender| sender.upgrade()).collect()
    }

    /// All who wait, to be woken: nothing more is taken.
    pub fn close(&mut self) -> Vec<Arc<Socket>> {
        core::mem::take(&mut self.senders).into_values().filter_map(|sender| sender.upgrade()).collect()
    }
}
