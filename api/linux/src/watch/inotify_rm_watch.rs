//! inotify_rm_watch(2).

use crate::{Call, Result, files};

/// Watches no more.
pub fn inotify_rm_watch(call: &mut Call) -> Result {
    super::using(call.int(0), &mut |watcher| files::done(watcher.remove(call.int(1))))
}
