//! Watching files: inotify(7).

use linux_abi::{
    Errno,
    constants::{
        AT_FDCWD, AT_SYMLINK_NOFOLLOW, IN_DONT_FOLLOW, IN_EXCL_UNLINK, IN_IGNORED, IN_ISDIR, IN_MASK_ADD,
        IN_MASK_CREATE, IN_ONESHOT, IN_ONLYDIR, IN_Q_OVERFLOW, IN_UNMOUNT, O_CLOEXEC, O_NONBLOCK, O_RDONLY,
    },
};
use vfs::{
    Kind, Rights,
    watch::{ALL, Existing},
};

use crate::{
    Call, Result,
    objects::{descriptors::watching, errors, events, files},
};

/// inotify_init(2): without flags.
pub fn inotify_init(_call: &mut Call) -> Result {
    make(0)
}

/// inotify_init1(2): with flags.
pub fn inotify_init1(call: &mut Call) -> Result {
    make(call.unsigned(0))
}

/// A new watcher. EMFILE if there are as many as there can be.
pub fn make(flags: u32) -> Result {
    super::check_there()?;
    if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
        return Err(Errno::EINVAL);
    }
    let watcher = watching::WATCHES.watcher().map_err(|_| Errno::EMFILE)?;
    events::open_as(watcher, b"anon_inode:inotify", O_RDONLY, flags)
}

const KNOWN: u32 = ALL
    | IN_UNMOUNT
    | IN_Q_OVERFLOW
    | IN_IGNORED
    | IN_ONLYDIR
    | IN_DONT_FOLLOW
    | IN_EXCL_UNLINK
    | IN_MASK_CREATE
    | IN_MASK_ADD
    | IN_ISDIR
    | IN_ONESHOT;

/// inotify_add_watch(2): watches what is at a path, or what there is to be told of it from now on; the number of the
/// watch.
pub fn inotify_add_watch(call: &mut Call) -> Result {
    super::check_there()?;
    let mask = call.unsigned(2);
    if mask & KNOWN == 0 {
        return Err(Errno::EINVAL);
    }
    let existing = match (mask & IN_MASK_ADD != 0, mask & IN_MASK_CREATE != 0) {
        (false, false) => Existing::Replace,
        (true, false) => Existing::Add,
        (false, true) => Existing::Refuse,
        (true, true) => {
            files::usable(call.int(0))?;
            return Err(Errno::EINVAL);
        }
    };
    let flags = if mask & IN_DONT_FOLLOW != 0 { AT_SYMLINK_NOFOLLOW } else { 0 };
    super::using(call.int(0), &mut |watcher| {
        let node = files::node_at(AT_FDCWD, call.argument(1), flags)?;
        if mask & IN_ONLYDIR != 0 && node.kind() != Kind::Directory {
            return Err(Errno::ENOTDIR);
        }
        files::credentials().check(&node.metadata(), Rights::READ).map_err(errors::errno)?;
        let number = watcher.add(node, mask, existing).map_err(errors::errno)?;
        Ok(number as usize)
    })
}

/// inotify_rm_watch(2): watches no more.
pub fn inotify_rm_watch(call: &mut Call) -> Result {
    super::using(call.int(0), &mut |watcher| files::done(watcher.remove(call.int(1))))
}
