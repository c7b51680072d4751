//! Becoming somebody else.

use identity::Capability;
use linux_abi::{Errno, UserAddress};

use super::{required, wish};
use crate::{Result, objects::user};

/// setuid(2): becomes another user.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setuid(user: u32) -> Result {
    let id = required(user)?;
    crate::objects::identity::become_other(|identity| identity.change_user(|ids, privileged| ids.set(id, privileged)))
}

/// setreuid(2): sets real and effective user id.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setreuid(real: u32, effective: u32) -> Result {
    let wanted = [real, effective].map(wish);
    crate::objects::identity::become_other(|identity| {
        identity.change_user(|user, privileged| user.set_two(wanted, privileged))
    })
}

/// setresuid(2): sets real, effective and saved user id.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setresuid(real: u32, effective: u32, saved: u32) -> Result {
    let wanted = [real, effective, saved].map(wish);
    crate::objects::identity::become_other(|identity| {
        identity.change_user(|user, privileged| user.set_all(wanted, privileged))
    })
}

/// setfsuid(2): whose rights count for files.
///
/// Answers the id before; a wish that is not allowed changes nothing.
pub fn setfsuid(user: u32) -> Result {
    let mut old = 0;
    crate::objects::identity::become_other(|identity| {
        old = identity.set_file_user(user);
        Ok(())
    })?;
    Ok(old as usize)
}

/// setgid(2): becomes another group.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setgid(group: u32) -> Result {
    let id = required(group)?;
    crate::objects::identity::become_other(|identity| identity.change_group(|ids, privileged| ids.set(id, privileged)))
}

/// setregid(2): sets real and effective group id.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setregid(real: u32, effective: u32) -> Result {
    let wanted = [real, effective].map(wish);
    crate::objects::identity::become_other(|identity| {
        identity.change_group(|group, privileged| group.set_two(wanted, privileged))
    })
}

/// setresgid(2): sets real, effective and saved group id.
///
/// EPERM for an unprivileged process and an id that is not its own.
pub fn setresgid(real: u32, effective: u32, saved: u32) -> Result {
    let wanted = [real, effective, saved].map(wish);
    crate::objects::identity::become_other(|identity| {
        identity.change_group(|group, privileged| group.set_all(wanted, privileged))
    })
}

/// setfsgid(2): whose rights count for files.
///
/// Answers the id before; a wish that is not allowed changes nothing.
pub fn setfsgid(group: u32) -> Result {
    let mut old = 0;
    crate::objects::identity::become_other(|identity| {
        old = identity.change_group(|ids, privileged| ids.set_file(group, privileged));
        Ok(())
    })?;
    Ok(old as usize)
}

/// Most groups (NGROUPS_MAX).
const MAX_GROUPS: usize = 65536;

/// setgroups(2): sets the supplementary groups.
///
/// EPERM for an unprivileged process.
pub fn setgroups(size: i32, list: UserAddress) -> Result {
    if !crate::objects::process::may(Capability::Setgid) {
        return Err(Errno::EPERM);
    }
    let size = usize::try_from(size).ok().filter(|&size| size <= MAX_GROUPS).ok_or(Errno::EINVAL)?;
    let groups = user::read_array(list, size)?;
    crate::objects::process::identity().groups = groups;
    Ok(0)
}
