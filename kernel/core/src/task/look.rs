//! What comes from outside of the machine and has somebody of its own to take it in: a network.
//!
//! It is looked for on the way to idling, where it needs no interrupt yet, and after each interruption. So a machine under
//! load takes few interrupts, and one with nothing to do sleeps.

use sync::Once;

use super::schedule;

/// Takes in what has come by now, and wakes who waited for it; whether anything came. Does not wait, and runs in the
/// kernel on any thread, under no lock.
pub type Look = fn() -> bool;

static LOOK: Once<Look> = Once::new();

/// Has `look` asked from now on. There is one: whoever has several makes one of them.
pub fn look_by(look: Look) {
    LOOK.call_once(|| look);
}

/// Takes in what has come, if somebody does; whether anything came.
pub(crate) fn look() -> bool {
    LOOK.get().is_some_and(|look| look())
}

/// The same on the way to idling, where whoever is woken runs next anyway.
pub(super) fn look_before_idling() -> bool {
    let Some(look) = LOOK.get() else { return false };
    let mut came = false;
    schedule::taking_in(&mut || came = look());
    came
}
