//! prlimit(2): tells and sets a resource limit.

use linux_abi::{Errno, structures::ResourceLimit};

use crate::{
    Call, Result,
    objects::{process::limits, user},
    process,
};

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
