//! getrlimit(2): a resource limit.

use crate::{
    Call, Result,
    objects::{process::limits, user},
};

/// Writes soft and hard limit.
pub fn getrlimit(call: &mut Call) -> Result {
    let limit = limits::get(call.unsigned(0))?;
    user::answer(call.argument(1), &limit)
}
