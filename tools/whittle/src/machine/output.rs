//! Writing to the program's output and error without ever waiting in the write itself.

use std::os::fd::BorrowedFd;
use std::sync::OnceLock;

use rustix::fs::{FileType, fstat, fstatvfs, makedev};
use rustix::io::{Errno, write};
use rustix::termios::isatty;

use crate::terminal::stream;

/// Most bytes written at once to something that may fill up. Once poll(2) calls a pipe writable it takes PIPE_BUF
/// bytes (pipe(7)), a terminal at least this much; the descriptors are shared with others and stay blocking.
const PIPE_PART: usize = 4096;
const TERMINAL_PART: usize = 1024;

/// Standard output and error, and the bytes that wait for one of them. Both share one queue, which keeps their order.
#[derive(Debug, Default)]
pub struct Output {
    waiting: Vec<u8>,
    written: usize,
    to: u8,
    broken: [bool; 3],
    parts: [Option<usize>; 3],
}

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrote {
    /// Everything is out.
    All,
    /// Poll and call again.
    Some,
    /// Nobody reads this stream any more; the bytes are dropped.
    Broken(u8),
    /// This error came; the bytes that were not written are dropped.
    Failed(Errno),
}

impl Output {
    /// The stream that bytes wait for.
    #[must_use]
    pub fn waiting_for(&self) -> Option<u8> {
        (self.written < self.waiting.len()).then_some(self.to)
    }

    /// Whether the other end of a stream is known to be gone.
    #[must_use]
    pub fn is_broken(&self, number: u8) -> bool {
        self.broken[usize::from(number)]
    }

    /// Notes that the other end of a stream is gone.
    pub fn set_broken(&mut self, number: u8) {
        self.broken[usize::from(number)] = true;
    }

    /// Queues bytes for stream 1 or 2; nothing else may be waiting.
    pub fn queue(&mut self, number: u8, bytes: &[u8]) {
        debug_assert!(self.waiting_for().is_none(), "one thing waits at a time");
        self.waiting.clear();
        self.written = 0;
        self.to = number;
        if !self.is_broken(number) {
            self.waiting.extend_from_slice(bytes);
        }
    }

    /// How many of the bytes queued last are written.
    #[must_use]
    pub const fn written(&self) -> usize {
        self.written
    }

    /// Writes a part of what waits; call it when poll(2) calls the stream writable.
    pub fn write(&mut self) -> Wrote {
        self.write_to(stream(self.to))
    }

    fn write_to(&mut self, file: BorrowedFd<'_>) -> Wrote {
        let part = *self.parts[usize::from(self.to)].get_or_insert_with(|| part(file));
        let bytes = &self.waiting[self.written..];
        match write(file, &bytes[..bytes.len().min(part)]) {
            Ok(count) => self.written += count,
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(Errno::PIPE) => {
                self.waiting.clear();
                self.set_broken(self.to);
                return Wrote::Broken(self.to);
            }
            Err(error) => {
                self.waiting.truncate(self.written);
                return Wrote::Failed(error);
            }
        }
        if self.waiting_for().is_none() { Wrote::All } else { Wrote::Some }
    }
}

/// Free bytes from which on a file system is not expected to be full before the program hears of it.
const PLENTY: u64 = 64 << 20;

/// Whether standard stream `number` may have no room for what the program writes, so that it must wait for each write
/// to learn that: a file on a file system that is almost full, a device that is no terminal. As it is when first asked,
/// for the program is told so once.
#[must_use]
pub fn may_fill(number: u8) -> bool {
    static KNOWN: [OnceLock<bool>; 3] = [const { OnceLock::new() }; 3];
    *KNOWN[usize::from(number)].get_or_init(|| fills(stream(number)))
}

fn fills(file: BorrowedFd<'_>) -> bool {
    let Ok(status) = fstat(file) else { return false };
    match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile => fstatvfs(file).is_ok_and(|system| system.f_bavail * system.f_frsize < PLENTY),
        FileType::BlockDevice => true,
        FileType::CharacterDevice => !isatty(file) && status.st_rdev != makedev(1, NULL),
        _ => false,
    }
}

/// The minor number of `/dev/null`.
const NULL: u32 = 3;

fn part(file: BorrowedFd<'_>) -> usize {
    match fstat(file).map(|status| FileType::from_raw_mode(status.st_mode)) {
        Ok(FileType::RegularFile | FileType::BlockDevice) => usize::MAX,
        Ok(FileType::CharacterDevice) => TERMINAL_PART,
        _ => PIPE_PART,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::fd::AsFd;

    #[test]
    fn bytes_go_out_in_parts_that_a_pipe_takes() {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut output = Output::default();
        let bytes: Vec<u8> = (0..10_000_u32).map(|number| number as u8).collect();
        output.queue(1, &bytes);
        assert_eq!(output.waiting_for(), Some(1));
        let results: Vec<_> = (0..3).map(|_| output.write_to(writer.as_fd())).collect();
        assert_eq!(results, [Wrote::Some, Wrote::Some, Wrote::All]);
        assert_eq!(output.waiting_for(), None);
        drop(writer);
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
    }

    #[test]
    fn a_broken_pipe_is_told_once_and_then_swallows() {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut output = Output::default();
        output.queue(1, b"x");
        assert_eq!(output.write_to(writer.as_fd()), Wrote::Broken(1));
        output.queue(1, b"y");
        assert_eq!(output.waiting_for(), None);
        output.queue(2, b"z");
        assert_eq!(output.waiting_for(), Some(2));
    }
}
