//! Writing to the program's output and error without ever waiting in the write itself.

use std::os::fd::BorrowedFd;

use rustix::fs::{FileType, fstat};
use rustix::io::{Errno, write};

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
            Err(error) => {
                if error != Errno::PIPE {
                    eprintln!("whittle: cannot write the program's output: {error}");
                }
                self.waiting.clear();
                self.set_broken(self.to);
                return Wrote::Broken(self.to);
            }
        }
        if self.waiting_for().is_none() { Wrote::All } else { Wrote::Some }
    }
}

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
