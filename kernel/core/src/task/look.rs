//! What comes from outside of the machine and has somebody of its own to take it in: a network.
//!
//! It is looked for after each interruption. Where no interruption tells of it yet, it is looked for on the way to
//! idling, and where a program asks without waiting, which may do so for ever. So a machine under load takes few
//! interrupts, and one with nothing to do sleeps.

use sync::Once;

use super::schedule;

/// Takes in what has come by now, and wakes who waited for it; whether anything came. Does not wait, and runs in the
/// kernel on any thread, under no lock.
pub type Look = fn() -> bool;

/// Whether an interruption tells of all that has come and was not taken in, and of what comes next.
pub type IsTold = fn() -> bool;

static LOOK: Once<(Look, IsTold)> = Once::new();

/// Has `look` asked from now on, and `is_told` whether that is of use on the way to idling. There is one: whoever has
/// several makes one of them.
pub fn look_by(look: Look, is_told: IsTold) {
    LOOK.call_once(|| (look, is_told));
}

/// Takes in what has come, if somebody does; whether anything came.
pub(crate) fn look() -> bool {
    LOOK.get().is_some_and(|(look, _)| look())
}

/// The same on the way to idling, and for who asks without waiting: whoever is woken runs next anyway, or behind the
/// call. What an interruption tells of ends the idling, and the program's going on.
pub(super) fn look_unless_told() -> bool {
    let Some((look, _)) = LOOK.get().filter(|(_, is_told)| !is_told()) else { return false };
    let mut came = false;
    schedule::taking_in(&mut || came = look());
    came
}
