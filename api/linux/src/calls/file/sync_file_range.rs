//! sync_file_range(2).

use linux_abi::{
    Errno,
    constants::{SYNC_FILE_RANGE_WAIT_AFTER, SYNC_FILE_RANGE_WAIT_BEFORE, SYNC_FILE_RANGE_WRITE},
};
use vfs::Kind;

use super::{fsync, range};
use crate::{Call, Result, objects::files};

/// Writes all of a file, whatever part of it was meant.
pub fn sync_file_range(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        const KNOWN: u32 = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
        let start = range::offset(call.argument(1))?;
        let length = range::offset(call.argument(2))?;
        if call.unsigned(3) & !KNOWN != 0 || start.checked_add(length).is_none_or(|end| end > i64::MAX as u64) {
            return Err(Errno::EINVAL);
        }
        match description.kind {
            Kind::Regular | Kind::Directory | Kind::Block => fsync::synchronise(description, false),
            _ => Err(Errno::ESPIPE),
        }
    })
}
