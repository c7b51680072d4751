//! fdatasync(2).

use super::fsync;
use crate::{Call, Result, objects::files};

/// As fsync, without the metadata that reading does not need.
pub fn fdatasync(call: &mut Call) -> Result {
    files::using(call, |_, description| fsync::synchronise(description, false))
}
