//! fchdir(2).

use alloc::sync::Arc;

use crate::{Call, Result, directory::chdir, files};

/// As chdir, to an open directory.
pub fn fchdir(call: &mut Call) -> Result {
    files::with(call, |_, description| chdir::enter(Arc::clone(&description.entry)))
}
