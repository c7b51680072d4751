//! `print!` and its relatives.

use core::fmt::{self, Arguments, Write};

use machine::{ConsoleError, Stream};

/// Bytes collected before the console gets them: most lines go out whole.
const LINE: usize = 128;

/// Writes all of `bytes`, waiting where the console is full; `false` if nobody reads the stream.
pub(super) fn write_all(stream: Stream, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        match contracts::console::write(stream, bytes) {
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
            Err(ConsoleError::WouldBlock) => core::hint::spin_loop(),
            Err(_) => return false,
        }
    }
    true
}

/// Writes to standard error; what cannot be said is not.
pub(crate) fn error(bytes: &[u8]) {
    write_all(Stream::Error, bytes);
}

struct Line {
    stream: Stream,
    bytes: [u8; LINE],
    length: usize,
}

impl Line {
    fn flush(&mut self) -> fmt::Result {
        let bytes = self.bytes.get(..core::mem::take(&mut self.length)).unwrap_or_default();
        if write_all(self.stream, bytes) { Ok(()) } else { Err(fmt::Error) }
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let free = self.bytes.get_mut(self.length..).unwrap_or_default();
            let count = rest.len().min(free.len());
            let (now, later) = rest.split_at(count);
            free[..count].copy_from_slice(now);
            (self.length, rest) = (self.length + count, later);
            if self.length == LINE {
                self.flush()?;
            }
        }
        Ok(())
    }
}

/// Text without values needs no formatting, and then none is in the image.
#[inline]
pub fn print(stream: Stream, text: Arguments<'_>, end: &str) {
    if stream == Stream::Output {
        super::flush();
    }
    let written = match text.as_str() {
        Some(text) => plain(stream, text, end),
        None => formatted(stream, text, end),
    };
    if !written && stream == Stream::Output {
        panic!("failed printing to stdout");
    }
}

#[inline(never)]
fn plain(stream: Stream, text: &str, end: &str) -> bool {
    let mut line = Line { stream, bytes: [0; LINE], length: 0 };
    [text, end].into_iter().try_for_each(|part| line.write_str(part)).and_then(|()| line.flush()).is_ok()
}

#[inline(never)]
fn formatted(stream: Stream, text: Arguments<'_>, end: &str) -> bool {
    let mut line = Line { stream, bytes: [0; LINE], length: 0 };
    line.write_fmt(text).and_then(|()| line.write_str(end)).and_then(|()| line.flush()).is_ok()
}

/// Prints to standard output.
#[macro_export]
macro_rules! print {
    ($($arguments:tt)*) => {
        $crate::io::print($crate::contracts::machine::Stream::Output, $crate::format_args!($($arguments)*), "")
    };
}

/// Prints a line to standard output.
#[macro_export]
macro_rules! println {
    () => { $crate::print!("\n") };
    ($($arguments:tt)*) => {
        $crate::io::print($crate::contracts::machine::Stream::Output, $crate::format_args!($($arguments)*), "\n")
    };
}

/// Prints to standard error.
#[macro_export]
macro_rules! eprint {
    ($($arguments:tt)*) => {
        $crate::io::print($crate::contracts::machine::Stream::Error, $crate::format_args!($($arguments)*), "")
    };
}

/// Prints a line to standard error.
#[macro_export]
macro_rules! eprintln {
    () => { $crate::eprint!("\n") };
    ($($arguments:tt)*) => {
        $crate::io::print($crate::contracts::machine::Stream::Error, $crate::format_args!($($arguments)*), "\n")
    };
}

/// Prints an expression, its place and its value to standard error, and is that value.
#[macro_export]
macro_rules! dbg {
    () => {
        $crate::eprintln!("[{}:{}:{}]", $crate::file!(), $crate::line!(), $crate::column!())
    };
    ($value:expr $(,)?) => {
        // A match keeps the temporaries of the expression alive to the end of the statement around it.
        match $value {
            value => {
                $crate::eprintln!(
                    "[{}:{}:{}] {} = {:#?}",
                    $crate::file!(), $crate::line!(), $crate::column!(), $crate::stringify!($value), &value
                );
                value
            }
        }
    };
    ($($value:expr),+ $(,)?) => { ($($crate::dbg!($value)),+,) };
}
