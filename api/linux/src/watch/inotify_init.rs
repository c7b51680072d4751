//! inotify_init(2).

use crate::{Call, Result, watch::inotify_init1};

/// Without flags.
pub fn inotify_init(_call: &mut Call) -> Result {
    inotify_init1::make(0)
}
