//! syncfs(2).

use super::sync::synchronise;
use crate::{Call, Result, objects::files};

/// As sync, for the file system that a descriptor is of, and says if that does not go well.
pub fn syncfs(call: &mut Call) -> Result {
    files::using(call, |_, description| files::done(synchronise(Some(description.node.system()))))
}
