//! futex(2): waits on a word of memory.

use kernel::task::{Waited, sleep_until};
use linux_abi::{Errno, constants as c};
use sync::words::Key;

use crate::{
    Call, Result,
    objects::{
        futex::{ANY, check, holds, inherit, key, queue, word},
        timers::moments::{deadline, from_now, nanoseconds},
        user,
    },
};

/// Waits, wakes, or moves those who wait.
pub fn futex(call: &mut Call) -> Result {
    let operation = call.unsigned(1);
    match operation & !(c::FUTEX_PRIVATE_FLAG | c::FUTEX_CLOCK_REALTIME) {
        c::FUTEX_WAIT => wait_on(call, operation, ANY),
        c::FUTEX_WAIT_BITSET => wait_on(call, operation, call.unsigned(5)),
        c::FUTEX_WAKE => wake_up(call, ANY),
        c::FUTEX_WAKE_BITSET => wake_some(call),
        c::FUTEX_REQUEUE => requeue(call, None),
        c::FUTEX_CMP_REQUEUE => requeue(call, Some(call.unsigned(5))),
        c::FUTEX_WAKE_OP => wake_operation(call),
        other => pass_on(call, operation, other),
    }
}

/// Operations on locks that are handed on. Apart, so that the others have few registers to save.
#[inline(never)]
fn pass_on(call: &Call, flags: u32, operation: u32) -> Result {
    let (address, private) = (call.argument(0), is_private(call));
    match operation {
        c::FUTEX_LOCK_PI => inherit::lock(address, private, moment(call, c::FUTEX_CLOCK_REALTIME)?, false),
        c::FUTEX_LOCK_PI2 => inherit::lock(address, private, moment(call, flags)?, false),
        c::FUTEX_TRYLOCK_PI => inherit::lock(address, private, None, true),
        c::FUTEX_UNLOCK_PI => inherit::unlock(address, private),
        other => {
            kernel::debug!("futex: operation {other} is not there: ENOSYS");
            Err(Errno::ENOSYS)
        }
    }
}

/// Whether no other process has to do with the word.
#[inline(always)]
fn is_private(call: &Call) -> bool {
    call.unsigned(1) & c::FUTEX_PRIVATE_FLAG != 0
}

/// A word that may be others' too is found by what is mapped there: EFAULT if nothing is.
#[inline(always)]
fn check_there(call: &Call, address: usize) -> core::result::Result<(), Errno> {
    if is_private(call) { check(address) } else { touch(address) }
}

#[cold]
#[inline(never)]
fn touch(address: usize) -> core::result::Result<(), Errno> {
    word(address).map(drop)
}

// In line: most wakes find nobody, and this call is one of those that are counted.
#[inline(always)]
fn wake_up(call: &Call, bits: u32) -> Result {
    if bits == 0 {
        return Err(Errno::EINVAL);
    }
    if !is_private(call) {
        return wake_shared(call, bits);
    }
    check(call.argument(0))?;
    Ok(queue::wake(key(call.argument(0), true), call.unsigned(2) as usize, bits))
}

#[inline(never)]
fn wake_some(call: &Call) -> Result {
    wake_up(call, call.unsigned(5))
}

#[inline(never)]
fn wake_shared(call: &Call, bits: u32) -> Result {
    touch(call.argument(0))?;
    Ok(queue::wake(key(call.argument(0), false), call.unsigned(2) as usize, bits))
}

fn requeue(call: &Call, expected: Option<u32>) -> Result {
    let words = [call.argument(0), call.argument(4)];
    let counts = [call.int(2), call.argument(3) as i32].map(usize::try_from);
    let [Ok(wakes), Ok(moves)] = counts else { return Err(Errno::EINVAL) };
    words.into_iter().try_for_each(|word| check_there(call, word))?;
    let (woken, moved) = queue::requeue(keys(call, words), [wakes, moves], || match expected {
        Some(expected) => holds(words[0], expected),
        None => Ok(()),
    })?;
    // The manual says that FUTEX_REQUEUE answers the woken only; Linux counts both (`futex_requeue`).
    Ok(woken + moved)
}

fn keys(call: &Call, words: [usize; 2]) -> [Key; 2] {
    words.map(|word| key(word, is_private(call)))
}

fn wait_on(call: &Call, operation: u32, bits: u32) -> Result {
    let (address, expected) = (call.argument(0), call.unsigned(2));
    if bits == 0 {
        return Err(Errno::EINVAL);
    }
    let deadline = match operation & c::FUTEX_WAIT_BITSET {
        0 => deadline(call.argument(3))?,
        _ => moment(call, operation)?,
    };
    let ticket = queue::draw(key(address, is_private(call)), bits, || holds(address, expected))?;
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

/// The moment at which a wait ends: of the wall clock if `flags` say so, else of the monotonic one.
pub fn moment(call: &Call, flags: u32) -> core::result::Result<Option<u64>, Errno> {
    if call.argument(3) == 0 {
        return Ok(None);
    }
    let moment = nanoseconds(call.argument(3))?;
    if flags & c::FUTEX_CLOCK_REALTIME == 0 {
        return Ok(Some(moment));
    }
    Ok(Some(from_now(moment.saturating_sub(contracts::clock::wall()))))
}

/// FUTEX_WAKE_OP: changes a second word, and wakes those who wait for it if it was as told. The operation's bits, from
/// the top: the argument is a shift, operation (3), comparison (4), argument (12), compared with (12).
#[inline(never)]
fn wake_operation(call: &Call) -> Result {
    let words = [call.argument(0), call.argument(4)];
    words.into_iter().try_for_each(check)?;
    let bits = call.unsigned(5);
    let signed = |shift: u32| (bits << shift).cast_signed() >> 20;
    let (argument, compared) = (signed(8), signed(20));
    let argument = if bits >> 31 != 0 { 1_i32.wrapping_shl(argument.cast_unsigned()) } else { argument };
    let change = |word: i32| match bits >> 28 & 7 {
        0 => Ok(argument),
        1 => Ok(word.wrapping_add(argument)),
        2 => Ok(word | argument),
        3 => Ok(word & !argument),
        4 => Ok(word ^ argument),
        _ => Err(Errno::ENOSYS),
    };
    let counts = [call.unsigned(2) as usize, call.unsigned(3) as usize];
    queue::wake_both(keys(call, words), counts, || {
        let old = user::update_int(words[1], &mut |word| change(word.cast_signed()).map(i32::cast_unsigned))?;
        let old = old.cast_signed();
        match bits >> 24 & 15 {
            0 => Ok(old == compared),
            1 => Ok(old != compared),
            2 => Ok(old < compared),
            3 => Ok(old <= compared),
            4 => Ok(old > compared),
            5 => Ok(old >= compared),
            _ => Err(Errno::ENOSYS),
        }
    })
}
