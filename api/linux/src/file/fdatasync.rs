//! fdatasync(2).

use crate::{Call, Result, file::fsync, files};

/// As fsync, without the metadata that reading does not need.
pub fn fdatasync(call: &mut Call) -> Result {
    files::using(call, |_, description| fsync::synchronise(description, false))
}
