//! Limits of resources.

use linux_abi::{Errno, structures::ResourceLimit};

use crate::{
    Call, Result,
    objects::{process::limits, user},
    process,
};

/// getrlimit(2): a resource limit.
///
/// Writes soft and hard limit.
pub fn getrlimit(call: &mut Call) -> Result {
    let limit = limits::get(call.unsigned(0))?;
    user::answer(call.argument(1), &limit)
}

/// setrlimit(2): sets a resource limit.
///
/// See [`limits::set`].
pub fn setrlimit(call: &mut Call) -> Result {
    let wanted = user::read_struct(call.argument(1))?;
    limits::set(call.unsigned(0), wanted)?;
    Ok(0)
}

/// prlimit(2): tells and sets a resource limit.
///
/// Of this process, the only one.
pub fn prlimit64(call: &mut Call) -> Result {
    let id = call.int(0);
    if id != 0 && id != process().id as i32 {
        return Err(Errno::ESRCH);
    }
    let resource = call.unsigned(1);
    let wanted: Option<ResourceLimit> = user::read_optional(call.argument(2))?;
    let old = limits::get(resource)?;
    if let Some(wanted) = wanted {
        limits::set(resource, wanted)?;
    }
    user::answer_optional(call.argument(3), &old)
}
