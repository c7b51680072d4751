//! fchdir(2).

use alloc::sync::Arc;

use super::chdir;
use crate::{Call, Result, objects::files};

/// As chdir, to an open directory.
pub fn fchdir(call: &mut Call) -> Result {
    files::with(call, |_, description| chdir::enter(Arc::clone(&description.entry)))
}
