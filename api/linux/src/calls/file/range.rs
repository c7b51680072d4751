//! Offsets and lengths as system calls pass them.

use linux_abi::Errno;

/// An offset: EINVAL if negative.
pub fn offset(argument: usize) -> Result<u64, Errno> {
    let signed = argument as i64;
    u64::try_from(signed).map_err(|_| Errno::EINVAL)
}

/// The position of preadv2(2) and pwritev2(2); `None` for -1, which means the file's own.
pub fn offset_or_position(argument: usize) -> Result<Option<u64>, Errno> {
    if argument as i64 == -1 { Ok(None) } else { offset(argument).map(Some) }
}
