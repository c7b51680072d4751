//! Watching files: inotify(7).

use linux_abi::{
    Directory, Errno, FileDescriptor, UserPath,
    constants::{AtFlags, OpenFlags, WatchMask},
};
use vfs::{Kind, Rights};
use watches::Existing;

use crate::{
    Result,
    objects::{descriptors::watching, errors, events, files},
};

/// inotify_init(2): without flags.
pub fn inotify_init() -> Result {
    make(OpenFlags::empty())
}

/// inotify_init1(2): with flags.
pub fn inotify_init1(flags: OpenFlags) -> Result {
    make(flags)
}

/// A new watcher. EMFILE if there are as many as there can be.
pub fn make(flags: OpenFlags) -> Result {
    super::check_there()?;
    if !(OpenFlags::O_CLOEXEC | OpenFlags::O_NONBLOCK).contains(flags) {
        return Err(Errno::EINVAL);
    }
    let watcher = watching::WATCHES.watcher().map_err(|_| Errno::EMFILE)?;
    events::open_as(watcher, b"anon_inode:inotify", OpenFlags::O_RDONLY, flags)
}

/// inotify_add_watch(2): watches what is at a path, or what there is to be told of it from now on; the number of the
/// watch.
pub fn inotify_add_watch(descriptor: FileDescriptor, path: UserPath, mask: WatchMask) -> Result {
    super::check_there()?;
    if !mask.intersects(WatchMask::NAMED) {
        return Err(Errno::EINVAL);
    }
    let existing = match (mask.contains(WatchMask::IN_MASK_ADD), mask.contains(WatchMask::IN_MASK_CREATE)) {
        (false, false) => Existing::Replace,
        (true, false) => Existing::Add,
        (false, true) => Existing::Refuse,
        (true, true) => {
            files::usable(descriptor)?;
            return Err(Errno::EINVAL);
        }
    };
    let flags = if mask.contains(WatchMask::IN_DONT_FOLLOW) { AtFlags::AT_SYMLINK_NOFOLLOW } else { AtFlags::empty() };
    super::using(descriptor, &mut |watcher| {
        let node = files::node_at(Directory::WORKING, path, flags)?;
        if mask.contains(WatchMask::IN_ONLYDIR) && node.kind() != Kind::Directory {
            return Err(Errno::ENOTDIR);
        }
        files::credentials().check(&node.metadata(), Rights::READ).map_err(errors::errno)?;
        let number = watcher.add(node, mask.bits(), existing).map_err(errors::errno)?;
        Ok(number as usize)
    })
}

/// inotify_rm_watch(2): watches no more.
pub fn inotify_rm_watch(descriptor: FileDescriptor, watch: i32) -> Result {
    super::using(descriptor, &mut |watcher| files::done(watcher.remove(watch)))
}
