//! What a system call's handler answers.

use linux_abi::Errno;

/// What a handler answers: a number that is not negative as a signed one, or an error.
pub type Result = core::result::Result<usize, Errno>;
