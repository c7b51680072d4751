//! A socket as a file.

use core::sync::atomic::Ordering;

use contracts::sockets::{self};
use contracts::sockets_element::{self as element, Receiving, Sending};
use sync::WaitQueue;
use vfs::{Change, FileError, Kind, Metadata, Node, Readiness, Seeking, Sink, Source};

use super::{Internet, errors};
use crate::objects::files::poll;

/// The events that hold of a socket: as `poll::events` of it as a file.
#[inline]
pub fn events(number: element::Socket) -> u16 {
    poll::events_of(sockets::readiness(number))
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
        let ready = sockets::readiness(self.number);
        // Where no more comes, a read finds the end at once.
        ready | Readiness::READABLE.when(ready.contains(Readiness::ENDED))
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
