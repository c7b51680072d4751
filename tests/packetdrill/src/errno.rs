//! Errors as C has them.

use std::ffi::c_int;

use tcp::{Error, Unreachable};

/// A number of `errno.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub c_int);

impl From<Error> for Errno {
    fn from(error: Error) -> Self {
        Self(match error {
            Error::Stale => libc::EBADF,
            Error::WouldBlock => libc::EAGAIN,
            Error::InProgress => libc::EINPROGRESS,
            Error::Already => libc::EALREADY,
            Error::Connected => libc::EISCONN,
            Error::NotConnected => libc::ENOTCONN,
            Error::Invalid | Error::NoUrgent => libc::EINVAL,
            Error::InUse => libc::EADDRINUSE,
            Error::NotAvailable => libc::EADDRNOTAVAIL,
            Error::Family => libc::EAFNOSUPPORT,
            Error::Refused => libc::ECONNREFUSED,
            Error::Reset => libc::ECONNRESET,
            Error::Aborted => libc::ECONNABORTED,
            Error::TimedOut => libc::ETIMEDOUT,
            Error::Closed => libc::EPIPE,
            Error::Unreachable(Unreachable::Network) => libc::ENETUNREACH,
            Error::Unreachable(Unreachable::Protocol) => libc::ENOPROTOOPT,
            Error::Unreachable(Unreachable::Port) => libc::ECONNREFUSED,
            Error::Unreachable(_) => libc::EHOSTUNREACH,
            Error::Full => libc::ENOBUFS,
        })
    }
}

/// Returns a result as C does: -1, and the error in `errno`.
pub fn returned<T: From<i8>>(result: Result<T, Errno>) -> T {
    result.unwrap_or_else(|Errno(number)| {
        // SAFETY: it is the calling thread's own variable.
        unsafe { *libc::__errno_location() = number };
        T::from(-1)
    })
}
