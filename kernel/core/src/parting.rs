//! What a machine still does for others before it ends: a network's connections get what was sent to them.
//!
//! Whoever may owe something says so when that begins to be possible. A machine without it asks one word.

use sync::Once;

/// How a door has the machine wait in the end.
pub trait Ending {
    /// Nobody but the running thread goes on.
    fn stop_others(&mut self);

    /// Waits until this moment of the monotonic clock, or shorter; `false`: whoever runs the machine does not want to
    /// wait.
    fn wait(&mut self, until: u64) -> bool;
}

/// Does it.
pub type Part = fn(&mut dyn Ending);

static PART: Once<Part> = Once::new();

/// Has `part` called before the machine ends. There is one.
pub fn part_by(part: Part) {
    PART.call_once(|| part);
}

/// The program has ended, and the machine is about to. Nobody holds a lock.
pub fn part(ending: &mut dyn Ending) {
    if let Some(part) = PART.get() {
        part(ending);
    }
}
