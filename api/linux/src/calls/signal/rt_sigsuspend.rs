//! rt_sigsuspend(2): waits for a signal under another mask.

use super::pause;
use crate::{
    Call, Result,
    objects::signals::{arguments, mask},
};

/// Ends by a handler, with EINTR.
pub fn rt_sigsuspend(call: &mut Call) -> Result {
    let mask = arguments::set(call.argument(0), call.argument(1))?;
    mask::replace(mask);
    pause::pause(call)
}
