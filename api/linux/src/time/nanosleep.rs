//! nanosleep(2): sleeps.

use crate::{
    Call, Result,
    time::{
        Sleep,
        arguments::{from_now, nanoseconds},
    },
};

/// EINTR behind a handler, with what is left.
pub fn nanosleep(call: &mut Call) -> Result {
    let deadline = from_now(nanoseconds(call.argument(0))?);
    Sleep { deadline, remaining: call.argument(1) }.relative()
}
