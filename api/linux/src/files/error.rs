//! The border where file errors become Linux' numbers.

use linux_abi::Errno;
use vfs::FileError;

/// The number for a file error.
pub fn errno(error: FileError) -> Errno {
    match error {
        FileError::NotFound => Errno::ENOENT,
        FileError::Exists => Errno::EEXIST,
        FileError::NotDirectory => Errno::ENOTDIR,
        FileError::IsDirectory => Errno::EISDIR,
        FileError::NotEmpty => Errno::ENOTEMPTY,
        FileError::TooManyLinks => Errno::ELOOP,
        FileError::NameTooLong => Errno::ENAMETOOLONG,
        FileError::Denied => Errno::EACCES,
        FileError::NotPermitted => Errno::EPERM,
        FileError::Invalid => Errno::EINVAL,
        FileError::NoSpace => Errno::ENOSPC,
        FileError::NoMemory => Errno::ENOMEM,
        FileError::TooLarge => Errno::EFBIG,
        FileError::NoQuota => Errno::EDQUOT,
        FileError::TooManyNames => Errno::EMLINK,
        FileError::TextBusy => Errno::ETXTBSY,
        FileError::Stale => Errno::ESTALE,
        FileError::ReadOnly => Errno::EROFS,
        FileError::CrossDevice => Errno::EXDEV,
        FileError::Busy => Errno::EBUSY,
        FileError::WouldBlock => Errno::EAGAIN,
        FileError::Broken => Errno::EPIPE,
        FileError::NotSeekable => Errno::ESPIPE,
        FileError::NoDevice => Errno::ENXIO,
        FileError::NotTerminal => Errno::ENOTTY,
        FileError::Unsupported => Errno::EOPNOTSUPP,
        FileError::NotConnected => Errno::ENOTCONN,
        FileError::Connected => Errno::EISCONN,
        FileError::TooLong => Errno::EMSGSIZE,
        FileError::Reset => Errno::ECONNRESET,
        FileError::Refused => Errno::ECONNREFUSED,
        FileError::AddressInUse => Errno::EADDRINUSE,
        FileError::WrongType => Errno::EPROTOTYPE,
        FileError::BadDescriptor => Errno::EBADF,
        FileError::BadAddress => Errno::EFAULT,
        FileError::Failed => Errno::EIO,
        FileError::NoAttribute => Errno::ENODATA,
        FileError::TooManyFiles => Errno::ENFILE,
        FileError::TooManyReferences => Errno::ETOOMANYREFS,
    }
}

/// The answer of a call that moves bytes.
#[inline(never)]
pub fn counted(result: Result<usize, FileError>) -> crate::Result {
    match result {
        Ok(count) => Ok(count),
        Err(error) => Err(errno(error)),
    }
}
