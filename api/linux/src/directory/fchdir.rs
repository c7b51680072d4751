//! fchdir(2).

use alloc::sync::Arc;

use crate::{Call, Result, directory::chdir, files};

/// As chdir, to an open directory.
pub fn fchdir(call: &mut Call) -> Result {
    chdir::enter(Arc::clone(&files::description(call.int(0))?.entry))
}
