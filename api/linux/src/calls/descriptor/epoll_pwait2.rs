//! epoll_pwait2(2).

use super::epoll_wait;
use crate::{
    Call, Result,
    objects::{signals, timers::moments::deadline},
};

/// As epoll_pwait, with a finer limit.
pub fn epoll_pwait2(call: &mut Call) -> Result {
    let deadline = deadline(call.argument(3))?;
    signals::masked(call.argument(4), call.argument(5), || epoll_wait::wait(call, deadline))
}
