//! Linux' error numbers, which the server answers with (errno(3), asm-generic).

use vfs::FileError;

/// What a number means.
pub const fn meaning(number: u32) -> FileError {
    match number {
        1 => FileError::NotPermitted,
        2 => FileError::NotFound,
        6 | 19 => FileError::NoDevice,
        11 => FileError::WouldBlock,
        12 => FileError::NoMemory,
        13 => FileError::Denied,
        16 => FileError::Busy,
        17 => FileError::Exists,
        18 => FileError::CrossDevice,
        20 => FileError::NotDirectory,
        21 => FileError::IsDirectory,
        22 => FileError::Invalid,
        23 | 24 => FileError::TooManyFiles,
        26 => FileError::TextBusy,
        27 | 75 => FileError::TooLarge,
        28 => FileError::NoSpace,
        29 => FileError::NotSeekable,
        30 => FileError::ReadOnly,
        31 => FileError::TooManyNames,
        32 => FileError::Broken,
        36 => FileError::NameTooLong,
        38 | 95 => FileError::Unsupported,
        39 => FileError::NotEmpty,
        40 => FileError::TooManyLinks,
        116 => FileError::Stale,
        122 => FileError::NoQuota,
        // EIO, and whatever a program would not expect of a file.
        _ => FileError::Failed,
    }
}
