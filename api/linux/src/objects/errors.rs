//! The border where file errors become Linux' numbers.

use linux_abi::Errno;
use vfs::FileError;

macro_rules! declare {
    ($($(#[$meaning:meta])* $name:ident $errno:ident $number:literal $(or $other:literal)?,)*) => {
        /// The number for a file error.
        pub const fn errno(error: FileError) -> Errno {
            match error {
                $(FileError::$name => Errno::$errno,)*
            }
        }
    };
}

vfs::for_each_file_error!(declare);

/// The answer of a call that moves bytes.
#[inline(never)]
pub fn counted(result: Result<usize, FileError>) -> crate::Result {
    match result {
        Ok(count) => Ok(count),
        Err(error) => Err(errno(error)),
    }
}
