//! futex(2): waits on a word of memory.

mod queue;

use kernel::task::{Waited, sleep_until};
use linux_abi::{Errno, constants as c};

use crate::{
    Call, Result,
    time::arguments::{from_now, nanoseconds},
    user,
};
use queue::Ticket;

pub use queue::wake;

/// All bits of FUTEX_WAIT_BITSET.
const ANY: u32 = u32::MAX;

/// Waits, wakes, or moves those who wait.
pub fn futex(call: &mut Call) -> Result {
    let operation = call.unsigned(1);
    match operation & !(c::FUTEX_PRIVATE_FLAG | c::FUTEX_CLOCK_REALTIME) {
        c::FUTEX_WAIT => wait_on(call, operation, ANY),
        c::FUTEX_WAIT_BITSET => wait_on(call, operation, call.unsigned(5)),
        c::FUTEX_WAKE => wake_up(call, ANY),
        c::FUTEX_WAKE_BITSET => wake_up(call, call.unsigned(5)),
        c::FUTEX_REQUEUE => requeue(call, None),
        c::FUTEX_CMP_REQUEUE => requeue(call, Some(call.unsigned(5))),
        other => {
            kernel::debug!("futex: operation {other} is not there: ENOSYS");
            Err(Errno::ENOSYS)
        }
    }
}

fn check(address: usize) -> core::result::Result<(), Errno> {
    if address.is_multiple_of(size_of::<u32>()) { Ok(()) } else { Err(Errno::EINVAL) }
}

fn word(address: usize) -> core::result::Result<u32, Errno> {
    check(address)?;
    Ok(user::read_int(address)? as u32)
}

fn holds(address: usize, expected: u32) -> core::result::Result<(), Errno> {
    if word(address)? == expected { Ok(()) } else { Err(Errno::EAGAIN) }
}

fn wake_up(call: &Call, bits: u32) -> Result {
    check(call.argument(0))?;
    if bits == 0 {
        return Err(Errno::EINVAL);
    }
    Ok(queue::wake(call.argument(0), call.unsigned(2) as usize, bits))
}

fn requeue(call: &Call, expected: Option<u32>) -> Result {
    let words = [call.argument(0), call.argument(4)];
    words.into_iter().try_for_each(check)?;
    let counts = [call.int(2), call.argument(3) as i32].map(usize::try_from);
    let [Ok(wakes), Ok(moves)] = counts else { return Err(Errno::EINVAL) };
    let (woken, moved) = queue::requeue(words, [wakes, moves], || match expected {
        Some(expected) => holds(words[0], expected),
        None => Ok(()),
    })?;
    Ok(if expected.is_some() { woken + moved } else { woken })
}

fn wait_on(call: &Call, operation: u32, bits: u32) -> Result {
    let (address, expected) = (call.argument(0), call.unsigned(2));
    if bits == 0 {
        return Err(Errno::EINVAL);
    }
    let deadline = match call.argument(3) {
        0 => None,
        time => Some(deadline(operation, nanoseconds(time)?)),
    };
    let ticket = Ticket::draw(address, bits, || holds(address, expected))?;
    let waited = sleep_until(deadline, &mut || ticket.is_woken());
    if waited == Waited::Ready(()) || !ticket.give_up() {
        return Ok(0);
    }
    match waited {
        Waited::TimedOut => Err(Errno::ETIMEDOUT),
        // A relative time would begin anew if the call were made again.
        _ => Err(if deadline.is_some() { Errno::EINTR } else { Errno::ERESTARTSYS }),
    }
}

/// FUTEX_WAIT's time is relative; FUTEX_WAIT_BITSET's is a moment.
fn deadline(operation: u32, time: u64) -> u64 {
    if operation & c::FUTEX_WAIT_BITSET == 0 {
        return from_now(time);
    }
    if operation & c::FUTEX_CLOCK_REALTIME == 0 {
        return time;
    }
    from_now(time.saturating_sub(contracts::clock::wall()))
}
