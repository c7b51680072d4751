//! Threads and waiting. One thread today; everything per process is reached through [`current`], so that more can
//! come.

mod thread;
mod wait;

pub use thread::{Key, Thread, current, start_first, try_current};
pub use wait::{Waited, wait, wait_until};
