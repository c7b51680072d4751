//! Becoming somebody else.

use identity::Capability;
use linux_abi::Errno;

use super::{required, wish};
use crate::{Call, Result, objects::user};

/// setuid(2): becomes another user.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setuid(call: &mut Call) -> Result {
    let id = required(call.unsigned(0))?;
    crate::objects::identity::become_other(|identity| identity.change_user(|user, privileged| user.set(id, privileged)))
}

/// setreuid(2): sets real and effective user id.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setreuid(call: &mut Call) -> Result {
    let wanted = [0, 1].map(|index| wish(call.unsigned(index)));
    crate::objects::identity::become_other(|identity| {
        identity.change_user(|user, privileged| user.set_two(wanted, privileged))
    })
}

/// setresuid(2): sets real, effective and saved user id.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setresuid(call: &mut Call) -> Result {
    let wanted = [0, 1, 2].map(|index| wish(call.unsigned(index)));
    crate::objects::identity::become_other(|identity| {
        identity.change_user(|user, privileged| user.set_all(wanted, privileged))
    })
}

/// setfsuid(2): whose rights count for files.
///
/// Answers the id before; a wish that is not allowed changes nothing.
pub fn setfsuid(call: &mut Call) -> Result {
    let mut old = 0;
    crate::objects::identity::become_other(|identity| {
        old = identity.set_file_user(call.unsigned(0));
        Ok(())
    })?;
    Ok(old as usize)
}

/// setgid(2): becomes another group.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setgid(call: &mut Call) -> Result {
    let id = required(call.unsigned(0))?;
    crate::objects::identity::become_other(|identity| {
        identity.change_group(|group, privileged| group.set(id, privileged))
    })
}

/// setregid(2): sets real and effective group id.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setregid(call: &mut Call) -> Result {
    let wanted = [0, 1].map(|index| wish(call.unsigned(index)));
    crate::objects::identity::become_other(|identity| {
        identity.change_group(|group, privileged| group.set_two(wanted, privileged))
    })
}

/// setresgid(2): sets real, effective and saved group id.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setresgid(call: &mut Call) -> Result {
    let wanted = [0, 1, 2].map(|index| wish(call.unsigned(index)));
    crate::objects::identity::become_other(|identity| {
        identity.change_group(|group, privileged| group.set_all(wanted, privileged))
    })
}

/// setfsgid(2): whose rights count for files.
///
/// Answers the id before; a wish that is not allowed changes nothing.
pub fn setfsgid(call: &mut Call) -> Result {
    let mut old = 0;
    crate::objects::identity::become_other(|identity| {
        old = identity.change_group(|group, privileged| group.set_file(call.unsigned(0), privileged));
        Ok(())
    })?;
    Ok(old as usize)
}

/// Most groups (NGROUPS_MAX).
const MAX_GROUPS: usize = 65536;

/// setgroups(2): sets the supplementary groups.
///
/// EPERM for an unprivileged process.
pub fn setgroups(call: &mut Call) -> Result {
    if !crate::objects::process::may(Capability::Setgid) {
        return Err(Errno::EPERM);
    }
    let size = usize::try_from(call.int(0)).ok().filter(|&size| size <= MAX_GROUPS).ok_or(Errno::EINVAL)?;
    let groups = user::read_array(call.argument(1), size)?;
    crate::objects::process::identity().groups = groups;
    Ok(0)
}
