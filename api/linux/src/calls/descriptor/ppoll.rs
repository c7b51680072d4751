//! ppoll(2).

use super::poll;
use crate::{
    Call, Result,
    objects::{
        signals,
        timers::moments::{deadline, write_rest},
    },
};

/// As poll, under another signal mask and with a finer limit, which is written back as what is left.
pub fn ppoll(call: &mut Call) -> Result {
    let limit = call.argument(2);
    let end = deadline(limit)?;
    let (address, count) = (call.argument(0), call.argument(1));
    let result = signals::masked(call.argument(3), call.argument(4), || poll::wait(address, count, end));
    write_rest(limit, end);
    result
}
