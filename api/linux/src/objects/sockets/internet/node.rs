//! A socket as a file.

use core::sync::atomic::Ordering;

use contracts::sockets::{self};
use contracts::sockets_element::{self as element, Receiving, Sending};
use sync::WaitQueue;
use vfs::{Change, FileError, Kind, Metadata, Node, Readiness, Seeking, Sink, Source};

use super::{Internet, errors};
use crate::objects::files::poll;

/// A socket's readiness as that of a file.
const fn readiness(ready: element::Readiness) -> Readiness {
    type Is = element::Readiness;
    Readiness {
        readable: ready.intersects(Is::READABLE.union(Is::READ_CLOSED)),
        writable: ready.intersects(Is::WRITABLE),
        hangup: ready.intersects(Is::HANGUP),
        error: ready.intersects(Is::ERROR),
        ended: ready.intersects(Is::READ_CLOSED),
        urgent: ready.intersects(Is::URGENT),
    }
}

/// The events of poll(2) by a socket's readiness: epoll(7) looks at many in a row.
const EVENTS: [u16; element::Readiness::all().bits() as usize + 1] = {
    let mut events = [0; element::Readiness::all().bits() as usize + 1];
    let mut bits = 0;
    while bits < events.len() {
        events[bits] = poll::events_of(&readiness(element::Readiness::from_bits_retain(bits as u8)));
        bits += 1;
    }
    events
};

/// The events that hold of a socket: as `poll::events` of it as a file.
#[inline]
pub fn events(number: element::Socket) -> u16 {
    EVENTS.get(usize::from(sockets::readiness(number).bits())).copied().unwrap_or(0)
}

impl Drop for Internet {
    fn drop(&mut self) {
        sockets::close(self.number);
    }
}

impl Node for Internet {
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
        if sink.room() == 0 && self.form.is_stream() {
            return Ok(0);
        }
        let mut received = element::Received::default();
        sockets::receive(self.number, sink, Receiving::empty(), &mut received).map_err(errors::of)?;
        Ok(received.count)
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        sockets::send(self.number, source, &Sending::default()).map_err(errors::of)
    }

    fn seeking(&self) -> Seeking {
        Seeking::Stream
    }

    fn readiness(&self) -> Readiness {
        readiness(sockets::readiness(self.number))
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.waiting)
    }

    fn available(&self) -> usize {
        sockets::available(self.number)
    }

    fn patience(&self, sends: bool) -> u64 {
        self.patience[usize::from(sends)].load(Ordering::Relaxed)
    }
}
