//! rt_sigsuspend(2): waits for a signal under another mask.

use crate::{
    Call, Result,
    signal::{arguments, mask, pause},
};

/// Ends by a handler, with EINTR.
pub fn rt_sigsuspend(call: &mut Call) -> Result {
    let mask = arguments::set(call.argument(0), call.argument(1))?;
    mask::replace(mask);
    pause::pause(call)
}
