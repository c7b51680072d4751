//! The one processor of a native program with threads: interrupts stay off, so it looks at the clock.

use x86_64::alone::{self, Rest};

pub use x86_64::alone::Deadline;

/// Provider of the contract `processor`.
pub type Alone = alone::Alone<Busy>;

/// Resting is not possible without something that ends the rest.
#[derive(Debug)]
pub struct Busy;

impl Rest for Busy {
    fn rest(_: u64) {
        core::hint::spin_loop();
    }
}
