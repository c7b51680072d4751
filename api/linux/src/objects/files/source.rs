//! A file as where the bytes of a write come from, so that they are copied once: to where they go.

use linux_abi::Errno;
use unfilled::Unfilled;
use vfs::{Kind, Node, Sink, SliceSink, Source, UnfilledSink};

use crate::objects::errors::errno;

/// Bytes of a file from an offset on.
pub struct FileSource<'a> {
    file: &'a dyn Node,
    begin: u64,
    given: usize,
    left: usize,
    /// Why no more could be read.
    failed: Option<Errno>,
}

impl<'a> FileSource<'a> {
    /// At most `count` bytes, and no more than the file says it has.
    pub fn new(file: &'a dyn Node, offset: u64, count: usize) -> Self {
        let length = file.metadata().size;
        // Files of devices and of `/proc` say 0.
        let is_known = file.kind() == Kind::Regular && length > 0;
        let left = if is_known { length.saturating_sub(offset).min(count as u64) as usize } else { count };
        Self { file, begin: offset, given: 0, left, failed: None }
    }

    /// What to answer whoever has written it, by what that has come to: the bytes that went, and an error only if none
    /// did.
    pub fn answer(&self, written: crate::Result) -> crate::Result {
        match (self.given, self.failed, written) {
            (0, Some(failed), _) => Err(failed),
            // The file has ended, which a source cannot say: it has given less than it had left.
            (0, None, Err(_)) if self.left == 0 => Ok(0),
            (0, None, Err(error)) => Err(super::broken_pipe(error)),
            (given, ..) => Ok(given),
        }
    }

    /// Gives `sink` the next bytes until it has no more room.
    fn read(&mut self, sink: &mut dyn Sink) -> usize {
        let before = self.given;
        while sink.room() > 0 && self.left > 0 {
            match self.file.read_at(self.begin.saturating_add(self.given as u64), sink) {
                Ok(0) => self.left = 0,
                Ok(count) => {
                    self.given += count;
                    self.left = self.left.saturating_sub(count);
                }
                Err(error) => (self.failed, self.left) = (Some(errno(error)), 0),
            }
        }
        self.given - before
    }
}

impl Source for FileSource<'_> {
    fn left(&self) -> usize {
        self.left
    }

    fn fill(&mut self, to: &mut Unfilled<'_>, most: usize) {
        let most = most.min(self.left);
        self.read(&mut UnfilledSink::new(to, most));
    }

    /// A share reads straight into a buffer ([`Sink::lend`]), which has to hold bytes for that.
    fn take(&mut self, buffer: &mut [u8]) -> usize {
        let wanted = buffer.len().min(self.left);
        self.read(&mut SliceSink::new(&mut buffer[..wanted]))
    }

    fn give_back(&mut self, count: usize) {
        self.given -= count;
        self.left += count;
    }

    fn skip(&mut self) -> usize {
        self.given += self.left;
        core::mem::take(&mut self.left)
    }
}
