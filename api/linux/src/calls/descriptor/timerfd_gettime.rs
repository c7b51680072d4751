//! timerfd_gettime(2): what a timer has left.

use crate::{
    Call, Result,
    objects::{events, files},
};

/// Writes it.
pub fn timerfd_gettime(call: &mut Call) -> Result {
    let description = files::usable(call.int(0))?;
    let ticks: &events::Ticks = description.node_as()?;
    ticks.ticker().tell_user(call.argument(1))
}
