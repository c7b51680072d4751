//! Standard output, line by line, and standard error, as it comes.

use core::marker::PhantomData;

use machine::Stream;
use sync::{Mutex, Once};

use super::write;
use crate::io::{Result, Write, write::too_much};

/// Bytes of a line that wait for its end. They are static, so writing needs no heap.
const CAPACITY: usize = 1024;

static OUTPUT: Mutex<Output> = Mutex::new(Output { bytes: [0; CAPACITY], length: 0 });

/// How to flush [`OUTPUT`]: there once somebody has asked for [`stdout`]. In an application where nobody does, this is
/// never written, and the compiler leaves it and the buffer out.
static FLUSH: Once<fn()> = Once::new();

/// Writes what waits. `print!` calls it, so that all that is written keeps its order, and so does the end.
#[inline]
pub(crate) fn flush() {
    if let Some(flush) = FLUSH.get() {
        flush();
    }
}

fn flush_output() {
    // Whoever prints or ends says nothing of a line before that could not be written.
    let _ = OUTPUT.lock().flush();
}

struct Output {
    bytes: [u8; CAPACITY],
    length: usize,
}

impl Output {
    /// Writes what waits; what was taken of it waits no longer, even if the rest fails.
    fn flush(&mut self) -> Result<()> {
        let mut written = 0;
        let mut result = Ok(());
        while result.is_ok() && written < self.length {
            match write(Stream::Output, &self.bytes[written..self.length]) {
                Ok(0) => result = Err(too_much()),
                Ok(count) => written += count,
                Err(error) => result = Err(error),
            }
        }
        self.bytes.copy_within(written..self.length, 0);
        self.length -= written;
        result
    }

    /// Takes all that fits; what ends with a newline does not wait.
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let lines = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        if lines > 0 || self.length + bytes.len() > CAPACITY {
            self.flush()?;
        }
        if lines > 0 || bytes.len() >= CAPACITY {
            return write(Stream::Output, if lines > 0 { &bytes[..lines] } else { bytes });
        }
        self.bytes[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
        Ok(bytes.len())
    }
}

/// Standard output.
pub struct Stdout(());

/// Standard output, for one writer alone.
pub struct StdoutLock<'a>(PhantomData<(&'a (), *const ())>);

/// Standard output.
#[must_use]
pub fn stdout() -> Stdout {
    FLUSH.call_once(|| flush_output);
    Stdout(())
}

impl Stdout {
    /// Keeps others out for a while. The same thread may lock it again, and print.
    #[must_use]
    pub const fn lock(&self) -> StdoutLock<'static> {
        StdoutLock(PhantomData)
    }
}

/// Standard error.
pub struct Stderr(());

/// Standard error, for one writer alone.
pub struct StderrLock<'a>(PhantomData<(&'a (), *const ())>);

/// Standard error.
#[must_use]
pub const fn stderr() -> Stderr {
    Stderr(())
}

impl Stderr {
    /// Keeps others out for a while. The same thread may lock it again, and print.
    #[must_use]
    pub const fn lock(&self) -> StderrLock<'static> {
        StderrLock(PhantomData)
    }
}

/// [`Write`] for the streams' types.
macro_rules! writers {
    ($($name:ty: |$bytes:ident| $write:expr, $flush:expr;)*) => {
        $(impl Write for $name {
            fn write(&mut self, $bytes: &[u8]) -> Result<usize> {
                $write
            }

            fn flush(&mut self) -> Result<()> {
                $flush
            }
        })*
    };
}

writers! {
    Stdout: |bytes| OUTPUT.lock().write(bytes), OUTPUT.lock().flush();
    &Stdout: |bytes| OUTPUT.lock().write(bytes), OUTPUT.lock().flush();
    StdoutLock<'_>: |bytes| OUTPUT.lock().write(bytes), OUTPUT.lock().flush();
    Stderr: |bytes| write(Stream::Error, bytes), Ok(());
    &Stderr: |bytes| write(Stream::Error, bytes), Ok(());
    StderrLock<'_>: |bytes| write(Stream::Error, bytes), Ok(());
}
