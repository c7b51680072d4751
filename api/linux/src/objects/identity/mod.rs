//! Who the process is: credentials(7), capabilities(7). The rules are in the element `identity`.

pub mod capabilities;

use core::sync::atomic::Ordering;

use identity::{Identity, NotPermitted};
use linux_abi::Errno;

use crate::{current, process};

/// Changes who the running process is; EPERM if it may not. One whose rights become others is not to be looked into,
/// and is told no more of its parent's death (`commit_creds` of Linux).
pub fn become_other(change: impl FnOnce(&mut Identity) -> core::result::Result<(), NotPermitted>) -> crate::Result {
    let mut identity = crate::objects::process::identity();
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
