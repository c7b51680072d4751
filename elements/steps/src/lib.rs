//! What tests count: that structures which programs fill take few steps, whatever is in them.

#![forbid(unsafe_code)]

use std::cell::Cell;

std::thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// So many entries, names or branches were looked at or moved.
pub fn count(steps: usize) {
    STEPS.set(STEPS.get() + steps);
}

/// Steps of this thread, which is one test's, so far.
pub fn taken() -> usize {
    STEPS.get()
}
