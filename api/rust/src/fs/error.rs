//! Errors of files as errors of input and output.

use contracts::vfs::FileError;

use crate::io::Error;

/// The error.
#[cold]
pub(super) const fn of(error: FileError) -> Error {
    Error::from_raw_os_error(error.number() as i32)
}
