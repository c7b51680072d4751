//! The standard streams as objects.

mod input;
mod output;

use machine::{ConsoleError, Stream};

use super::{Error, Result};

pub use input::{Stdin, StdinLock, stdin};
pub(crate) use output::flush;
pub use output::{Stderr, StderrLock, Stdout, StdoutLock, stderr, stdout};

/// What std's streams do with a stream that was closed before the start: it is empty, and swallows all.
const CLOSED: i32 = 9;

/// The console's refusal as an error; `WouldBlock` is waited for elsewhere.
fn error(refusal: ConsoleError) -> Error {
    const BROKEN_PIPE: i32 = 32;
    const NOT_TERMINAL: i32 = 25;
    const AGAIN: i32 = 11;
    Error::from_raw_os_error(match refusal {
        ConsoleError::WouldBlock => AGAIN,
        ConsoleError::Broken => BROKEN_PIPE,
        ConsoleError::NotTerminal => NOT_TERMINAL,
        ConsoleError::Host(number) => number,
    })
}

/// Does what the console would have to wait for, again and again: without threads nobody else wants the processor.
fn wait<T>(mut attempt: impl FnMut() -> core::result::Result<T, ConsoleError>, closed: T) -> Result<T> {
    loop {
        match attempt() {
            Ok(value) => return Ok(value),
            Err(ConsoleError::WouldBlock) => core::hint::spin_loop(),
            Err(ConsoleError::Host(CLOSED)) => return Ok(closed),
            Err(refusal) => return Err(error(refusal)),
        }
    }
}

fn read(buffer: &mut [u8]) -> Result<usize> {
    wait(|| contracts::console::read(buffer), 0)
}

fn write(stream: Stream, bytes: &[u8]) -> Result<usize> {
    wait(|| contracts::console::write(stream, bytes), bytes.len())
}

/// Whether a stream is a terminal.
pub trait IsTerminal {
    /// Whether it is.
    fn is_terminal(&self) -> bool;
}

/// The trait for the streams' types.
macro_rules! terminals {
    ($($name:ty = $stream:ident,)*) => {
        $(impl IsTerminal for $name {
            fn is_terminal(&self) -> bool {
                contracts::console::is_terminal(Stream::$stream)
            }
        })*
    };
}

terminals! {
    Stdin = Input,
    StdinLock<'_> = Input,
    Stdout = Output,
    StdoutLock<'_> = Output,
    Stderr = Error,
    StderrLock<'_> = Error,
}

/// `Debug` for the streams' types, whose contents are nobody's business.
macro_rules! opaque {
    ($($name:ident $(<$life:lifetime>)?,)*) => {
        $(impl core::fmt::Debug for $name $(<$life>)? {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        })*
    };
}

opaque! { Stdin, StdinLock<'_>, Stdout, StdoutLock<'_>, Stderr, StderrLock<'_>, }
