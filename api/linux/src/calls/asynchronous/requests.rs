//! Requests: given, taken back, and what they came to.

use linux_abi::{Errno, UserAddress, UserSignalSet, UserTime, structures::IoControl};

use crate::{
    Result,
    objects::{
        asynchronous::{Context, operation, waiting},
        signals,
        timers::moments,
        user::{self, POINTER},
    },
};

/// io_submit(2): requests to read, write and wait.
///
/// Answers how many were taken; an error if it was the first that was not.
pub fn io_submit(context: usize, count: i64, requests: UserAddress) -> Result {
    let context = Context::find(context)?;
    let count = usize::try_from(count as isize).map_err(|_| Errno::EINVAL)?;
    let mut taken = 0;
    while taken < count {
        let one = taken.checked_mul(POINTER).and_then(|behind| requests.0.checked_add(behind)).ok_or(Errno::EFAULT);
        match one.and_then(|place| submit(&context, place)) {
            Ok(_) => taken += 1,
            Err(error) if taken == 0 => return Err(error),
            Err(_) => break,
        }
    }
    Ok(taken)
}

/// The request whose address is at `place`.
fn submit(context: &Context, place: usize) -> Result {
    let address = user::read_word(UserAddress(place))?;
    let request: IoControl = user::read_struct(UserAddress(address))?;
    operation::submit(context, address as u64, &request)
}

/// io_cancel(2): a request is not to be done any more.
///
/// Only one that waits for events can be: EINPROGRESS then, for its event comes all the same, with result 0.
pub fn io_cancel(context: usize, request: UserAddress, _event: UserAddress) -> Result {
    let control: IoControl = user::read_struct(request)?;
    if control.aio_key != 0 {
        return Err(Errno::EINVAL);
    }
    let context = Context::find(context)?;
    Err(if context.cancel(request.0 as u64) { Errno::EINPROGRESS } else { Errno::EINVAL })
}

/// io_getevents(2): what requests came to.
///
/// Waits for some, at most so long; for ever for NULL.
pub fn io_getevents(context: usize, least: i64, most: i64, events: UserAddress, timeout: UserTime) -> Result {
    waiting::events(context, least, most, events, moments::limit(timeout)?)
}

/// io_pgetevents(2): what requests came to, waited for under another signal mask.
///
/// The mask's address and size stand in a structure (`struct __aio_sigset`), as there is no seventh argument.
pub fn io_pgetevents(
    context: usize,
    least: i64,
    most: i64,
    events: UserAddress,
    timeout: UserTime,
    mask: UserAddress,
) -> Result {
    let deadline = moments::limit(timeout)?;
    let [set, size]: [usize; 2] = user::read_optional(mask)?.unwrap_or_default();
    signals::masked(UserSignalSet(set), size, || {
        let found = waiting::events(context, least, most, events, deadline);
        // Told by this, the mask stays until the signal that ended the wait is delivered.
        if found == Err(linux_abi::Errno::EINTR) { Err(linux_abi::Errno::ERESTARTNOHAND) } else { found }
    })
}
