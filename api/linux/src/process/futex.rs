//! futex(2): waits on a word of memory, for a program with one thread.

use kernel::task::{Waited, wait_until};
use linux_abi::{Errno, constants as c};

use crate::{
    Call, Result,
    time::arguments::{from_now, nanoseconds},
    user,
};

/// With nobody else to wake, a wait ends by its time or by a signal, and waking finds no one.
pub fn futex(call: &mut Call) -> Result {
    let operation = call.unsigned(1);
    match operation & !(c::FUTEX_PRIVATE_FLAG | c::FUTEX_CLOCK_REALTIME) {
        c::FUTEX_WAIT | c::FUTEX_WAIT_BITSET => wait_on(call, operation),
        c::FUTEX_WAKE | c::FUTEX_WAKE_BITSET | c::FUTEX_REQUEUE => {
            check(call.argument(0))?;
            Ok(0)
        }
        c::FUTEX_CMP_REQUEUE => {
            if word(call.argument(0))? == call.unsigned(5) {
                Ok(0)
            } else {
                Err(Errno::EAGAIN)
            }
        }
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

fn wait_on(call: &Call, operation: u32) -> Result {
    let (address, expected) = (call.argument(0), call.unsigned(2));
    let deadline = match call.argument(3) {
        0 => None,
        time => Some(deadline(operation, nanoseconds(time)?)),
    };
    if word(address)? != expected {
        return Err(Errno::EAGAIN);
    }
    match wait_until(deadline, &mut || false) {
        Waited::Ready(()) => Ok(0),
        Waited::TimedOut => Err(Errno::ETIMEDOUT),
        // A relative time would begin anew if the call were made again.
        Waited::Interrupted => Err(if deadline.is_some() { Errno::EINTR } else { Errno::ERESTARTSYS }),
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
