//! nanosleep(2): sleeps.

use crate::{
    Call, Result,
    objects::timers::{Sleep, clock::Clock, moments::nanoseconds},
};

/// EINTR behind a handler, with what is left.
pub fn nanosleep(call: &mut Call) -> Result {
    Sleep::relative(Clock::Monotonic, nanoseconds(call.argument(0))?, call.argument(1))
}
