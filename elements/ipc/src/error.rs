//! Why a request about an object is refused.

/// The reasons, each with Linux' number for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// No object has that number, or a value is out of its range (EINVAL).
    Invalid,
    /// No object has that key (ENOENT).
    NotFound,
    /// One has, and should not (EEXIST).
    Exists,
    /// Its mode does not allow it (EACCES).
    Denied,
    /// Only its owner may do that (EPERM).
    NotPermitted,
    /// There are too many (ENOSPC).
    NoRoom,
    /// There is no memory for it (ENOMEM).
    NoMemory,
    /// It was removed while somebody waited for it (EIDRM).
    Removed,
    /// It would have to wait (EAGAIN).
    WouldBlock,
    /// No message of that kind is there (ENOMSG).
    NoMessage,
    /// A message is longer than the room for it (E2BIG).
    TooLong,
    /// A semaphore of that number is not in the set (EFBIG).
    NoSuchSemaphore,
    /// A value would leave its range (ERANGE).
    OutOfRange,
}
