//! Lines for the person who started the machine, through the slot `console`.

use core::{
    fmt::Arguments,
    sync::atomic::{AtomicBool, Ordering},
};

use alloc::fmt::format;
use machine::Record;

static VERBOSE: AtomicBool = AtomicBool::new(false);

/// Turns [`debug!`](crate::debug) lines on.
pub fn set_verbose(verbose: bool) {
    VERBOSE.store(verbose, Ordering::Relaxed);
}

/// Whether [`debug!`](crate::debug) lines are wanted.
#[inline(always)]
pub fn is_verbose() -> bool {
    contracts::config().debug && VERBOSE.load(Ordering::Relaxed)
}

/// One line of the given kind.
// In line, so that an image whose lines are all constant is without formatting.
#[inline(always)]
pub fn line(record: Record, arguments: Arguments<'_>) {
    match arguments.as_str() {
        Some(text) => contracts::console::record(record, text.as_bytes()),
        None => formatted(record, arguments),
    }
}

/// Formats in memory first, so that a line arrives whole.
#[cold]
#[inline(never)]
fn formatted(record: Record, arguments: Arguments<'_>) {
    contracts::console::record(record, format(arguments).as_bytes());
}

/// A line that appears only with `--verbose`.
#[macro_export]
macro_rules! debug {
    ($($argument:tt)*) => {
        if $crate::log::is_verbose() {
            $crate::log::line(::machine::Record::Debug, ::core::format_args!($($argument)*));
        }
    };
}

/// A line that always appears.
#[macro_export]
macro_rules! error {
    ($($argument:tt)*) => {
        $crate::log::line(::machine::Record::Error, ::core::format_args!($($argument)*))
    };
}

/// A line about what the program misses, unless nobody wants to hear it.
#[macro_export]
macro_rules! notice {
    ($($argument:tt)*) => {
        $crate::log::line(::machine::Record::Notice, ::core::format_args!($($argument)*))
    };
}
