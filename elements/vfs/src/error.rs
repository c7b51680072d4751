//! Why a file operation did not happen.

/// The reason, each with the error number that Linux has for it (errno(3)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileError {
    /// No such file or directory (ENOENT).
    NotFound,
    /// It exists already (EEXIST).
    Exists,
    /// A part of the path that must be a directory is none (ENOTDIR).
    NotDirectory,
    /// It is a directory (EISDIR).
    IsDirectory,
    /// The directory has entries (ENOTEMPTY).
    NotEmpty,
    /// Too many symbolic links on the way (ELOOP).
    TooManyLinks,
    /// A name is too long (ENAMETOOLONG).
    NameTooLong,
    /// The mode does not allow it (EACCES).
    Denied,
    /// Not even allowed to ask (EPERM).
    NotPermitted,
    /// It makes no sense (EINVAL).
    Invalid,
    /// No room for contents (ENOSPC).
    NoSpace,
    /// The kernel has no memory for it (ENOMEM).
    NoMemory,
    /// Beyond the longest file (EFBIG).
    TooLarge,
    /// No room left of what the owner may use (EDQUOT).
    NoQuota,
    /// It has as many names as it can have (EMLINK).
    TooManyNames,
    /// The program in it runs (ETXTBSY).
    TextBusy,
    /// The file is no longer there, although it was (ESTALE).
    Stale,
    /// The file system does not change (EROFS).
    ReadOnly,
    /// Two file systems are involved (EXDEV).
    CrossDevice,
    /// In use as a root or mount point (EBUSY).
    Busy,
    /// It would have to wait (EAGAIN).
    WouldBlock,
    /// Nobody reads the other end (EPIPE).
    Broken,
    /// A stream has no position (ESPIPE).
    NotSeekable,
    /// No such device (ENXIO).
    NoDevice,
    /// Not a terminal (ENOTTY).
    NotTerminal,
    /// This kind of file cannot do that (EOPNOTSUPP).
    Unsupported,
    /// The open file does not allow it (EBADF).
    BadDescriptor,
    /// A socket is joined with no other (ENOTCONN).
    NotConnected,
    /// It is joined with one already (EISCONN).
    Connected,
    /// A message is longer than any can be (EMSGSIZE).
    TooLong,
    /// The other end went without reading all (ECONNRESET).
    Reset,
    /// Nobody takes connections or messages there (ECONNREFUSED).
    Refused,
    /// Another socket has that name (EADDRINUSE).
    AddressInUse,
    /// The other socket is of another form (EPROTOTYPE).
    WrongType,
    /// The application's address does not work (EFAULT).
    BadAddress,
    /// The device failed (EIO).
    Failed,
    /// It has no attribute of that name (ENODATA).
    NoAttribute,
    /// Too many files are open (ENFILE).
    TooManyFiles,
    /// Too many are under way in sockets (ETOOMANYREFS).
    TooManyReferences,
}
