//! Watching files: being told what happens to them (inotify(7)).

mod inotify;

pub use inotify::{inotify_add_watch, inotify_init, inotify_init1, inotify_rm_watch};

use alloc::sync::Arc;

use linux_abi::{Errno, FileDescriptor};
use watches::Watcher;

use crate::{
    Result,
    objects::{descriptors::Description, files},
};

/// Does `act` with the watcher at a descriptor: EINVAL if something else is open there.
fn using(descriptor: FileDescriptor, act: &mut dyn FnMut(&Watcher) -> Result) -> Result {
    let description: Arc<Description> = files::usable(descriptor)?;
    act(description.node_as()?)
}

/// ENOSYS in an image that has none of this.
fn check_there() -> core::result::Result<(), Errno> {
    if contracts::config().inotify { Ok(()) } else { Err(Errno::ENOSYS) }
}
