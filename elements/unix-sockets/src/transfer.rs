//! Sending and receiving.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::Ordering;

use super::{
    Allowance, Form, Name, Right, Socket, Who,
    flight::Cargo,
    inbox::{Inbox, Message},
    link::{Link, wake},
};
use vfs::{FileError, Moved, ShortSink, ShortSource, Sink, Source};

/// What goes along with bytes.
#[derive(Default)]
pub struct Parcel {
    /// Open files.
    pub rights: Vec<Right>,
    /// How many of them may be under way.
    pub allowance: Allowance,
    /// Who sends.
    pub who: Who,
}

/// What came.
#[derive(Default)]
pub struct Received {
    /// Bytes given to the sink.
    pub count: usize,
    /// Bytes of the message; as many as `count` of a stream.
    pub whole: usize,
    /// Open files.
    pub rights: Vec<Right>,
    /// The name of the sender's socket.
    pub from: Option<Name>,
    /// Who has sent it; nobody at the end of a stream.
    pub who: Option<Who>,
}

/// Most bytes of a stream that one message holds.
const PIECE: usize = 32 << 10;

impl Socket {
    /// Sends bytes of `source` to `to`, or to the one it is joined with: a message whole, of a stream as much as there
    /// is room for. What goes along leaves with the first bytes.
    pub fn send(
        &self,
        source: &mut dyn Source,
        parcel: &mut Parcel,
        to: Option<&Arc<Self>>,
    ) -> Result<usize, FileError> {
        let other = self.receiver(to)?;
        let is_stream = self.form == Form::Stream;
        let capacity = self.capacity.load(Ordering::Relaxed);
        let length = source.left();
        if !is_stream && length > capacity.saturating_sub(32) {
            return Err(FileError::TooLong);
        }
        if is_stream && length == 0 {
            return Ok(0);
        }
        let used = {
            let mut state = other.state.lock();
            if state.receive_ended {
                return Err(FileError::Broken);
            }
            let used = state.inbox.used();
            // A message may go beyond what is left, as on Linux; a stream fills that.
            let is_full = if is_stream { used > 0 && used + Message::cost_of(1) > capacity } else { used >= capacity };
            if is_full {
                state.inbox.await_room(&self.myself, capacity / 4);
                return Err(FileError::WouldBlock);
            }
            used
        };
        let wanted = if is_stream { length.min(PIECE).min(capacity.saturating_sub(used).max(1)) } else { length };
        let bytes = taken(source, wanted)?;
        if bytes.len() < wanted && (!is_stream || bytes.is_empty()) {
            return Err(FileError::BadAddress);
        }
        let count = bytes.len();
        let cargo = Cargo::load(&mut parcel.rights, parcel.allowance)?;
        let message = Message { bytes, cargo, from: self.name(), who: parcel.who, ..Message::default() };
        let added = other.state.lock().inbox.add(message, is_stream);
        // With nothing locked, for what goes along may be let go of here.
        added.map_err(|_| FileError::NoMemory)?;
        other.changed.wake_all();
        Ok(count)
    }

    /// As [`Self::send`] for a few bytes of a stream, by whom they are, where there is nothing else to do: see
    /// [`vfs::Node::write_short`]. With one processor alone, as nobody else lets go of the other end meanwhile.
    pub fn send_short(&self, count: usize, who: Who, source: ShortSource) -> Moved {
        if self.form != Form::Stream || !sync::is_alone() {
            return None;
        }
        let other = {
            let state = self.state.lock_in_line();
            match &state.link {
                Link::Connected(other) if !state.send_ended => other.upgrade()?,
                _ => return None,
            }
        };
        let mut state = other.state.lock_in_line();
        let used = state.inbox.used();
        let is_full = used > 0 && used + Message::cost_of(count) > self.capacity.load(Ordering::Relaxed);
        if state.receive_ended || is_full {
            return None;
        }
        let moved = state.inbox.add_short(count, who, source)?;
        drop(state);
        other.changed.wake_all_in_line();
        Some(moved)
    }

    /// The same of [`Self::receive`]: see [`vfs::Node::read_short`].
    pub(super) fn receive_short(&self, count: usize, sink: ShortSink) -> Moved {
        let mut state = self.state.lock_in_line();
        let is_joined = self.form == Form::Stream && matches!(state.link, Link::Connected(_));
        if is_joined { state.inbox.take_short(count, sink) } else { None }
    }

    /// Where a send goes.
    fn receiver(&self, to: Option<&Arc<Self>>) -> Result<Arc<Self>, FileError> {
        let named = match (self.form, to) {
            (Form::Stream, Some(_)) => {
                return Err(self.other().map_or(FileError::Unsupported, |_| FileError::Connected));
            }
            (Form::Datagrams, to) => to,
            _ => None,
        };
        {
            let state = self.state.lock();
            if state.send_ended && self.form != Form::Packets {
                return Err(FileError::Broken);
            }
        }
        if let Some(to) = named {
            return if to.form == self.form { Ok(to.clone()) } else { Err(FileError::WrongType) };
        }
        match self.other()? {
            Some(other) if !self.state.lock().send_ended => Ok(other),
            None if self.form == Form::Datagrams => {
                self.disconnect();
                Err(FileError::Refused)
            }
            _ => Err(FileError::Broken),
        }
    }

    /// Receives into `sink`: a message, of which what does not fit is lost, or of a stream as much as there is. Peeking
    /// leaves it there.
    pub fn receive(&self, sink: &mut dyn Sink, peek: bool) -> Result<Received, FileError> {
        let mut state = self.state.lock();
        if self.form != Form::Datagrams && !matches!(state.link, Link::Connected(_)) {
            return Err(if self.form == Form::Stream { FileError::Invalid } else { FileError::NotConnected });
        }
        let error_first = self.form != Form::Stream || state.inbox.is_empty();
        if error_first && let Some(error) = state.error.take() {
            return Err(error);
        }
        if state.inbox.is_empty() {
            return if state.receive_ended { Ok(Received::default()) } else { Err(FileError::WouldBlock) };
        }
        let (mut received, cargo) = if self.form == Form::Stream {
            state.inbox.receive_stream(sink, peek)
        } else {
            state.inbox.receive_message(sink, peek)
        };
        let senders = state.inbox.with_room();
        drop(state);
        wake(&senders);
        if let Some(cargo) = cargo {
            received.rights = cargo.unload();
        }
        Ok(received)
    }
}

/// Bytes of a source, of which fewer come than wanted where it fails.
fn taken(source: &mut dyn Source, wanted: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(wanted).map_err(|_| FileError::NoMemory)?;
    source.append(&mut bytes, wanted);
    Ok(bytes)
}

/// What came, but for what is to arrive when nothing is locked.
type Arrived = (Received, Option<Cargo>);

impl Inbox {
    fn receive_message(&mut self, sink: &mut dyn Sink, peek: bool) -> Arrived {
        let Some(first) = self.first() else { return Arrived::default() };
        let count = sink.put(&first.bytes[..first.bytes.len().min(sink.room())]);
        let (whole, from, who) = (first.bytes.len(), first.from.clone(), Some(first.who));
        if peek {
            let rights = first.cargo.as_ref().map(Cargo::copied).unwrap_or_default();
            return (Received { count, whole, rights, from, who }, None);
        }
        let cargo = first.cargo.take();
        self.remove_first();
        (Received { count, whole, rights: Vec::new(), from, who }, cargo)
    }

    /// Goes on over messages of one sender, up to the end of one that brought open files.
    fn receive_stream(&mut self, sink: &mut dyn Sink, peek: bool) -> Arrived {
        let mut received = Received::default();
        if peek {
            if let Some(first) = self.first() {
                received.who = Some(first.who);
                received.rights = first.cargo.as_ref().map(Cargo::copied).unwrap_or_default();
            }
            received.count = self.peek(sink);
            received.whole = received.count;
            return (received, None);
        }
        let mut cargo = None;
        while let Some(first) = self.first() {
            if received.who.is_some_and(|who| who != first.who) || sink.room() == 0 {
                break;
            }
            received.who = Some(first.who);
            let count = sink.put(&first.bytes[first.taken..]);
            received.count += count;
            first.taken += count;
            cargo = first.cargo.take();
            let is_left = first.length() > 0;
            if !is_left {
                self.remove_first();
            }
            if is_left || cargo.is_some() {
                break;
            }
        }
        received.whole = received.count;
        (received, cargo)
    }
}
