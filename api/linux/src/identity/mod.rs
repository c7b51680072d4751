//! Who the process is: credentials(7), capabilities(7). The rules are in the element `identity`.

pub mod capabilities;
pub mod capget;
pub mod capset;
pub mod getegid;
pub mod geteuid;
pub mod getgid;
pub mod getgroups;
pub mod getresgid;
pub mod getresuid;
pub mod getuid;
pub mod setfsgid;
pub mod setfsuid;
pub mod setgid;
pub mod setgroups;
pub mod setregid;
pub mod setresgid;
pub mod setresuid;
pub mod setreuid;
pub mod setuid;

use core::sync::atomic::Ordering;

use identity::{Identity, NotPermitted};
use linux_abi::Errno;

use crate::{current, process};

/// An id argument of which -1 means "leave it alone".
const fn wish(argument: u32) -> Option<u32> {
    if argument == u32::MAX { None } else { Some(argument) }
}

/// An id argument that must be one.
fn required(argument: u32) -> core::result::Result<u32, Errno> {
    wish(argument).ok_or(Errno::EINVAL)
}

/// Changes who the running process is; EPERM if it may not. One whose rights become others is not to be looked into, and
/// is told no more of its parent's death (`commit_creds` of Linux).
pub fn become_other(change: impl FnOnce(&mut Identity) -> core::result::Result<(), NotPermitted>) -> crate::Result {
    let mut identity = crate::state::identity();
    let rights = |identity: &Identity| {
        let (user, group) = (identity.user, identity.group);
        [user.effective, user.file, group.effective, group.file]
    };
    let (old, permitted) = (rights(&identity), identity.capabilities.permitted);
    change(&mut identity).map_err(|NotPermitted| Errno::EPERM)?;
    if rights(&identity) != old || !permitted.holds(identity.capabilities.permitted) {
        process().is_dumpable.store(false, Ordering::Relaxed);
        current().death_signal.store(0, Ordering::Relaxed);
    }
    Ok(0)
}
