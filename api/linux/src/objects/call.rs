//! A system call as its handler sees it.

use linux_abi::Errno;

/// The system call that the current thread has made: the application's registers. Handlers read its arguments (see
/// [`machine::Context::argument`]); few need the registers behind them.
pub type Call = machine::Context;

/// What a handler answers: a number that is not negative as a signed one, or an error.
pub type Result = core::result::Result<usize, Errno>;
