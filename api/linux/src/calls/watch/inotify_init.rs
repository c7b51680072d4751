//! inotify_init(2).

use super::inotify_init1;
use crate::{Call, Result};

/// Without flags.
pub fn inotify_init(_call: &mut Call) -> Result {
    inotify_init1::make(0)
}
