//! inotify_rm_watch(2).

use crate::{Call, Result, objects::files};

/// Watches no more.
pub fn inotify_rm_watch(call: &mut Call) -> Result {
    crate::calls::watch::using(call.int(0), &mut |watcher| files::done(watcher.remove(call.int(1))))
}
