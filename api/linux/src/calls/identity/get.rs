//! Who the process is.

use linux_abi::Errno;

use crate::{Call, Result, objects::user};

/// getuid(2): the real user id.
///
/// Never fails.
pub fn getuid(_: &mut Call) -> Result {
    Ok(crate::objects::process::identity().user.real as usize)
}

/// geteuid(2): the effective user id.
///
/// Never fails.
pub fn geteuid(_: &mut Call) -> Result {
    Ok(crate::objects::process::identity().user.effective as usize)
}

/// getgid(2): the real group id.
///
/// Never fails.
pub fn getgid(_: &mut Call) -> Result {
    Ok(crate::objects::process::identity().group.real as usize)
}

/// getegid(2): the effective group id.
///
/// Never fails.
pub fn getegid(_: &mut Call) -> Result {
    Ok(crate::objects::process::identity().group.effective as usize)
}

/// getresuid(2): real, effective and saved user id.
///
/// Writes the three.
pub fn getresuid(call: &mut Call) -> Result {
    let ids = crate::objects::process::identity().user;
    for (index, id) in [ids.real, ids.effective, ids.saved].iter().enumerate() {
        user::write_struct(call.argument(index), id)?;
    }
    Ok(0)
}

/// getresgid(2): real, effective and saved group id.
///
/// Writes the three.
pub fn getresgid(call: &mut Call) -> Result {
    let ids = crate::objects::process::identity().group;
    for (index, id) in [ids.real, ids.effective, ids.saved].iter().enumerate() {
        user::write_struct(call.argument(index), id)?;
    }
    Ok(0)
}

/// getgroups(2): supplementary groups.
///
/// Answers their number, and writes them unless the size is 0.
pub fn getgroups(call: &mut Call) -> Result {
    let size = usize::try_from(call.int(0)).map_err(|_| Errno::EINVAL)?;
    let groups = crate::objects::process::identity().groups.clone();
    if size > 0 {
        if size < groups.len() {
            return Err(Errno::EINVAL);
        }
        user::write_array(call.argument(1), &groups)?;
    }
    Ok(groups.len())
}
