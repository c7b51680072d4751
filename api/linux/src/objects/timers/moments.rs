//! Times as system calls pass them.

use linux_abi::{Errno, UserAddress, UserTime, structures::TimeSpec};

use crate::objects::user;

/// The nanoseconds of the `struct timespec` at `address`.
#[inline(never)]
pub fn nanoseconds(address: UserTime) -> Result<u64, Errno> {
    let time: TimeSpec = user::read_struct(address.into())?;
    time.nanoseconds().ok_or(Errno::EINVAL)
}

/// The moment so many nanoseconds from now.
#[inline(never)]
pub fn from_now(length: u64) -> u64 {
    contracts::clock::monotonic().saturating_add(length)
}

/// The moment that a limit in milliseconds means; `None` for a negative one: for ever.
#[inline(never)]
pub fn milliseconds(limit: i32) -> Option<u64> {
    u64::try_from(limit).ok().map(|limit| from_now(limit * 1_000_000))
}

/// The nanoseconds from now to a moment.
#[inline(never)]
pub fn until(deadline: u64) -> u64 {
    deadline.saturating_sub(contracts::clock::monotonic())
}

/// The moment that a relative limit at `address` means; `None` for NULL.
#[inline(never)]
pub fn deadline(address: UserTime) -> Result<Option<u64>, Errno> {
    if address.is_null() { Ok(None) } else { Ok(Some(from_now(nanoseconds(address)?))) }
}

/// As [`deadline`], and a limit of nothing is a moment in the past, which only looks.
pub fn limit(address: UserTime) -> Result<Option<u64>, Errno> {
    if address.is_null() {
        return Ok(None);
    }
    let length = nanoseconds(address)?;
    Ok(Some(if length == 0 { 0 } else { from_now(length) }))
}

/// Writes what is left of a limit, as Linux does; a limit that cannot be written is left alone.
#[inline(never)]
pub fn write_rest(address: UserAddress, deadline: Option<u64>) {
    if let Some(deadline) = deadline {
        let _ = user::write_struct(address, &TimeSpec::from_nanoseconds(until(deadline)));
    }
}
