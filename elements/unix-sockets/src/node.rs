//! A socket as a file.

use core::sync::atomic::Ordering;

use sync::WaitQueue;

use super::{Form, Parcel, Socket, link::Link};
use vfs::{Change, FileError, Kind, Metadata, Moved, Node, Readiness, Seeking, ShortSink, ShortSource, Sink, Source};

impl Socket {
    /// Whether a send would not wait.
    fn is_writable(&self) -> bool {
        let Ok(Some(other)) = self.other() else {
            return !matches!(self.state.lock().link, Link::Listening(..));
        };
        let limit = self.capacity() / 4;
        let mut state = other.state.lock();
        let has_room = state.inbox.used() <= limit || state.receive_ended;
        if !has_room {
            state.inbox.await_room(&self.myself, limit);
        }
        has_room
    }
}

impl Node for Socket {
    fn kind(&self) -> Kind {
        Kind::Socket
    }

    fn metadata(&self) -> Metadata {
        *self.metadata.lock()
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.metadata.lock().change(change);
        Ok(())
    }

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        if sink.room() == 0 {
            return Ok(0);
        }
        Ok(self.receive(sink, false)?.count)
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.send(source, &mut Parcel { who: self.who, ..Parcel::default() }, None)
    }

    fn has_short_ways(&self) -> bool {
        self.form == Form::Stream
    }

    fn read_short(&self, _offset: u64, count: usize, sink: ShortSink) -> Moved {
        self.receive_short(count, sink)
    }

    fn write_short(&self, _offset: u64, count: usize, source: ShortSource) -> Moved {
        self.send_short(count, self.who, source)
    }

    fn seeking(&self) -> Seeking {
        Seeking::Stream
    }

    fn readiness(&self) -> Readiness {
        let writable = self.is_writable();
        let state = self.state.lock();
        let waits = match &state.link {
            Link::Listening(_, waiting) => !waiting.is_empty(),
            _ => !state.inbox.is_empty(),
        };
        let alone = self.form != Form::Datagrams && matches!(state.link, Link::None);
        Readiness::READABLE.when(waits || state.receive_ended)
            | Readiness::WRITABLE.when(writable)
            | Readiness::HANGUP.when(alone || state.receive_ended && state.send_ended)
            | Readiness::ERROR.when(state.error.is_some())
            | Readiness::ENDED.when(state.receive_ended)
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.changed)
    }

    fn available(&self) -> usize {
        self.state.lock().inbox.available(self.form == Form::Stream)
    }
    fn patience(&self, sends: bool) -> u64 {
        self.patience[usize::from(sends)].load(Ordering::Relaxed)
    }
}
