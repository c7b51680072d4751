//! Limits of resources.

use linux_abi::{UserAddress, structures::ResourceLimit};

use crate::{
    Result,
    objects::{
        process::{limits, table},
        user,
    },
    process,
};

/// getrlimit(2): a resource limit.
///
/// Writes soft and hard limit.
pub fn getrlimit(resource: u32, limit: UserAddress) -> Result {
    user::answer(limit, &limits::get(process(), resource)?)
}

/// setrlimit(2): sets a resource limit.
///
/// See [`limits::set`].
pub fn setrlimit(resource: u32, limit: UserAddress) -> Result {
    let wanted = user::read_struct(limit)?;
    limits::set(process(), resource, wanted)?;
    Ok(0)
}

/// prlimit(2): tells and sets a resource limit.
///
/// ESRCH if there is no such process.
pub fn prlimit64(id: i32, resource: u32, new: UserAddress, old: UserAddress) -> Result {
    let process = table::meant(id)?;
    let wanted: Option<ResourceLimit> = user::read_optional(new)?;
    let before = limits::get(&process, resource)?;
    if let Some(wanted) = wanted {
        limits::set(&process, resource, wanted)?;
    }
    user::answer_optional(old, &before)
}
