//! The one processor of a native program with threads: it rests in the host.

use x86_64::alone::{self, Rest};

use crate::host::time;

pub use x86_64::alone::Deadline;

/// Provider of the contract `processor`.
pub type Alone = alone::Alone<Host>;

/// Resting is the host's nanosleep(2).
#[derive(Debug)]
pub struct Host;

impl Rest for Host {
    fn rest(nanoseconds: u64) {
        // Going to sleep and waking up takes the host some 50 microseconds.
        const WORTH: u64 = 50_000;
        if nanoseconds > WORTH { time::sleep(nanoseconds) } else { core::hint::spin_loop() }
    }
}
