//! inotify_init1(2).

use linux_abi::{
    Errno,
    constants::{O_CLOEXEC, O_NONBLOCK, O_RDONLY},
};

use crate::{
    Call, Result,
    objects::{descriptors::watching, events},
};

/// With flags.
pub fn inotify_init1(call: &mut Call) -> Result {
    make(call.unsigned(0))
}

/// A new watcher. EMFILE if there are as many as there can be.
pub fn make(flags: u32) -> Result {
    crate::calls::watch::check_there()?;
    if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
        return Err(Errno::EINVAL);
    }
    let watcher = watching::WATCHES.watcher().map_err(|_| Errno::EMFILE)?;
    events::open_as(watcher, b"anon_inode:inotify", O_RDONLY, flags)
}
