//! epoll_pwait(2).

use super::epoll_wait;
use crate::{
    Call, Result,
    objects::{signals, timers::moments::milliseconds},
};

/// As epoll_wait, under another signal mask.
pub fn epoll_pwait(call: &mut Call) -> Result {
    let deadline = milliseconds(call.int(3));
    signals::masked(call.argument(4), call.argument(5), || epoll_wait::wait(call, deadline))
}
