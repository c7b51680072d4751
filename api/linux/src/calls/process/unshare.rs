//! unshare(2): what a thread shares with others becomes its own.

use linux_abi::{
    Errno,
    constants::{
        CLONE_FILES, CLONE_FS, CLONE_NEWCGROUP, CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWTIME,
        CLONE_NEWUSER, CLONE_NEWUTS, CLONE_SIGHAND, CLONE_SYSVSEM, CLONE_THREAD, CLONE_VM,
    },
};

use crate::{Call, Result, objects::process::apart, process};

/// Worlds of one's own, which nobody here may make.
const WORLDS: u32 = CLONE_NEWCGROUP
    | CLONE_NEWIPC
    | CLONE_NEWNET
    | CLONE_NEWNS
    | CLONE_NEWPID
    | CLONE_NEWTIME
    | CLONE_NEWUSER
    | CLONE_NEWUTS;

/// What only a process of one thread may ask for: it has these for itself already.
const ALONE: u32 = CLONE_THREAD | CLONE_SIGHAND | CLONE_VM;

/// Descriptors and the place in the tree. Namespaces are refused: EPERM, as to who has no privileges.
pub fn unshare(call: &mut Call) -> Result {
    let flags = call.unsigned(0);
    if call.argument(0) & !((WORLDS | ALONE | CLONE_FILES | CLONE_FS | CLONE_SYSVSEM) as usize) != 0 {
        return Err(Errno::EINVAL);
    }
    if flags & ALONE != 0 && process().threads.lock().count() > 1 {
        return Err(Errno::EINVAL);
    }
    if flags & WORLDS != 0 {
        return Err(Errno::EPERM);
    }
    if flags & CLONE_FILES != 0 {
        apart::unshare_files();
    }
    if flags & CLONE_FS != 0 {
        apart::unshare_location();
    }
    Ok(0)
}
