//! setrlimit(2): sets a resource limit.

use crate::{
    Call, Result,
    objects::{process::limits, user},
};

/// See [`limits::set`].
pub fn setrlimit(call: &mut Call) -> Result {
    let wanted = user::read_struct(call.argument(1))?;
    limits::set(call.unsigned(0), wanted)?;
    Ok(0)
}
