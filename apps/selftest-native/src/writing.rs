//! Writers.

use std::{
    collections::VecDeque,
    fmt,
    io::{self, ErrorKind, IoSlice, Write},
    prelude::v1::*,
};

use crate::tally::Tally;

/// Takes three bytes at a time, and is interrupted before each.
#[derive(Default)]
struct Slow {
    taken: Vec<u8>,
    interrupted: bool,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        self.taken.write(&bytes[..bytes.len().min(3)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Full;

impl fmt::Display for Full {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:>4}|{:<4}|{:^4}|{:#x}", 1, "b", 'c', 255)
    }
}

pub fn check(tally: &mut Tally) {
    let mut slow = Slow::default();
    holds!(tally, slow.write_all(b"0123456789").is_ok() && slow.taken == b"0123456789");
    holds!(tally, write!(slow.by_ref(), " {Full} {}", "end").is_ok());
    same!(tally, String::from_utf8_lossy(&slow.taken), "0123456789    1|b   | c  |0xff end");
    let mut room = [0; 5];
    let mut slice = &mut room[..];
    same!(tally, slice.write(b"abc").ok(), Some(3));
    let error = slice.write_all(b"def").unwrap_err();
    same!(tally, format!("{error:?}"), "Error { kind: WriteZero, message: \"failed to write whole buffer\" }");
    same!(tally, slice.len(), 0);
    same!(tally, room, *b"abcde");
    let mut slice = &mut room[..];
    same!(tally, write!(slice, "{}{}", "12345", 6).unwrap_err().kind(), ErrorKind::WriteZero);
    let mut bytes = Vec::new();
    holds!(tally, writeln!(bytes, "{:?}", "quoted").is_ok());
    same!(tally, bytes, b"\"quoted\"\n");
    same!(tally, bytes.write_vectored(&[IoSlice::new(b""), IoSlice::new(b"x")]).ok(), Some(1));
    let mut queue = VecDeque::new();
    holds!(tally, queue.write_all(b"abc").is_ok() && queue == [b'a', b'b', b'c']);
    let mut writer: Box<dyn Write> = Box::new(Vec::new());
    holds!(tally, write!(writer, "{}", 5).is_ok() && writer.flush().is_ok());
    same!(tally, io::sink().write(&[0; 77]).ok(), Some(77));
    same!(tally, io::empty().write(&[0; 77]).ok(), Some(77));
}
