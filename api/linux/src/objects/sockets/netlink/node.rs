//! A socket as a file.

use core::sync::atomic::Ordering;

use sync::WaitQueue;
use vfs::{Change, FileError, Kind, Metadata, Node, Readiness, Seeking, Sink, Source};

use super::Netlink;

impl Node for Netlink {
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
        Ok(self.read(sink, false)?.0)
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.write(source)
    }

    fn seeking(&self) -> Seeking {
        Seeking::Stream
    }

    fn readiness(&self) -> Readiness {
        super::readiness(self)
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.waiting)
    }

    fn available(&self) -> usize {
        self.answers.lock().datagrams.front().map_or(0, alloc::vec::Vec::len)
    }

    fn patience(&self, sends: bool) -> u64 {
        self.patience[usize::from(sends)].load(Ordering::Relaxed)
    }
}
