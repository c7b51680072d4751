//! Who the process is.

use linux_abi::{Errno, UserAddress};

use crate::{Result, objects::user};

/// getuid(2): the real user id.
///
/// Never fails.
pub fn getuid() -> Result {
    Ok(crate::objects::process::identity().user.real as usize)
}

/// geteuid(2): the effective user id.
///
/// Never fails.
pub fn geteuid() -> Result {
    Ok(crate::objects::process::identity().user.effective as usize)
}

/// getgid(2): the real group id.
///
/// Never fails.
pub fn getgid() -> Result {
    Ok(crate::objects::process::identity().group.real as usize)
}

/// getegid(2): the effective group id.
///
/// Never fails.
pub fn getegid() -> Result {
    Ok(crate::objects::process::identity().group.effective as usize)
}

/// getresuid(2): real, effective and saved user id.
///
/// Writes the three.
pub fn getresuid(real: UserAddress, effective: UserAddress, saved: UserAddress) -> Result {
    let ids = crate::objects::process::identity().user;
    for (place, id) in [(real, ids.real), (effective, ids.effective), (saved, ids.saved)] {
        user::write_struct(place, &id)?;
    }
    Ok(0)
}

/// getresgid(2): real, effective and saved group id.
///
/// Writes the three.
pub fn getresgid(real: UserAddress, effective: UserAddress, saved: UserAddress) -> Result {
    let ids = crate::objects::process::identity().group;
    for (place, id) in [(real, ids.real), (effective, ids.effective), (saved, ids.saved)] {
        user::write_struct(place, &id)?;
    }
    Ok(0)
}

/// getgroups(2): supplementary groups.
///
/// Answers their number, and writes them unless the size is 0.
pub fn getgroups(size: i32, list: UserAddress) -> Result {
    let size = usize::try_from(size).map_err(|_| Errno::EINVAL)?;
    let groups = crate::objects::process::identity().groups.clone();
    if size > 0 {
        if size < groups.len() {
            return Err(Errno::EINVAL);
        }
        user::write_array(list, &groups)?;
    }
    Ok(groups.len())
}
