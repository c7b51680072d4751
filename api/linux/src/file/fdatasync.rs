//! fdatasync(2).

use crate::{Call, Result, file::fsync};

/// As fsync.
pub fn fdatasync(call: &mut Call) -> Result {
    fsync::fsync(call)
}
