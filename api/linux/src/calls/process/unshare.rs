//! unshare(2): what a thread shares with others becomes its own.

use linux_abi::{Errno, constants::CloneFlags};

use crate::{
    Result,
    objects::process::{apart, process_signals},
    process,
};

/// Worlds of one's own, which nobody here may make.
const WORLDS: CloneFlags = CloneFlags::CLONE_NEWCGROUP
    .union(CloneFlags::CLONE_NEWIPC)
    .union(CloneFlags::CLONE_NEWNET)
    .union(CloneFlags::CLONE_NEWNS)
    .union(CloneFlags::CLONE_NEWPID)
    .union(CloneFlags::CLONE_NEWTIME)
    .union(CloneFlags::CLONE_NEWUSER)
    .union(CloneFlags::CLONE_NEWUTS);

/// What only a process of one thread may ask for: it has these for itself already.
const ALONE: CloneFlags = CloneFlags::CLONE_THREAD.union(CloneFlags::CLONE_SIGHAND).union(CloneFlags::CLONE_VM);

/// Whether others have what a process has for itself already if it may ask for that; CLONE_VM stands for the handlers
/// too, on Linux as here.
fn shares(flags: CloneFlags) -> bool {
    let handlers = CloneFlags::CLONE_SIGHAND.union(CloneFlags::CLONE_VM);
    process().threads.lock().count() > 1
        || flags.intersects(handlers) && process_signals().are_shared()
        || flags.contains(CloneFlags::CLONE_VM) && process().shares_space()
}

/// Descriptors and the place in the tree. Namespaces are refused: EPERM, as to who has no privileges.
pub fn unshare(flags: u64) -> Result {
    let flags = u32::try_from(flags).map(CloneFlags::from_bits_retain).map_err(|_| Errno::EINVAL)?;
    let known = WORLDS | ALONE | CloneFlags::CLONE_FILES | CloneFlags::CLONE_FS | CloneFlags::CLONE_SYSVSEM;
    if !known.contains(flags) {
        return Err(Errno::EINVAL);
    }
    if flags.intersects(ALONE) && shares(flags) {
        return Err(Errno::EINVAL);
    }
    if flags.intersects(WORLDS) {
        return Err(Errno::EPERM);
    }
    if flags.contains(CloneFlags::CLONE_FILES) {
        apart::unshare_files();
    }
    if flags.contains(CloneFlags::CLONE_FS) {
        apart::unshare_location();
    }
    Ok(0)
}
