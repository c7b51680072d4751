//! ppoll(2).

use linux_abi::{Errno, structures::TimeSpec};

use crate::{Call, Result, descriptor::poll, signal, user};

/// As poll, under another signal mask and with a finer limit, which is written back as what is left.
pub fn ppoll(call: &mut Call) -> Result {
    let limit = call.argument(2);
    let deadline = deadline(limit)?;
    let (address, count) = (call.argument(0), call.argument(1));
    let result = signal::masked(call.argument(3), call.argument(4), || poll::wait(address, count, deadline));
    write_rest(limit, deadline);
    result
}

/// The moment that a relative limit at `address` means; `None` for NULL.
pub fn deadline(address: usize) -> core::result::Result<Option<u64>, Errno> {
    let Some(limit) = user::read_optional::<TimeSpec>(address)? else { return Ok(None) };
    let length = limit.nanoseconds().ok_or(Errno::EINVAL)?;
    Ok(Some(contracts::clock::monotonic().saturating_add(length)))
}

/// Writes what is left of a limit, as Linux does; a limit that cannot be written is left alone.
pub fn write_rest(address: usize, deadline: Option<u64>) {
    if let Some(deadline) = deadline {
        let left = deadline.saturating_sub(contracts::clock::monotonic());
        let _ = user::write_struct(address, &TimeSpec::from_nanoseconds(left));
    }
}
