//! futex(2): waits on a word of memory.

use kernel::task::Waited;
use linux_abi::{Errno, UserAddress, UserTime, constants as c};
use sync::words::Key;

use crate::{
    Result,
    objects::{
        futex::{ANY, check, holds, inherit, key, queue, word},
        signals,
        timers::moments::{deadline, from_now, nanoseconds},
        user,
    },
};

/// Waits, wakes, or moves those who wait.
pub fn futex(
    word: UserAddress,
    operation: u32,
    value: u32,
    timeout: UserAddress,
    second: UserAddress,
    third: u32,
) -> Result {
    let private = operation & c::FUTEX_PRIVATE_FLAG != 0;
    // Where nothing is waited for, a number of threads stands in the place of the limit.
    let counts = [value, timeout.0 as u32];
    let (word, words) = (word.0, [word.0, second.0]);
    match operation & !(c::FUTEX_PRIVATE_FLAG | c::FUTEX_CLOCK_REALTIME) {
        c::FUTEX_WAIT => wait_on(word, operation, value, UserTime(timeout.0), ANY),
        c::FUTEX_WAIT_BITSET => wait_on(word, operation, value, UserTime(timeout.0), third),
        c::FUTEX_WAKE => wake_up(word, private, value, ANY),
        c::FUTEX_WAKE_BITSET => wake_some(word, private, value, third),
        c::FUTEX_REQUEUE => requeue(words, private, counts, None),
        c::FUTEX_CMP_REQUEUE => requeue(words, private, counts, Some(third)),
        c::FUTEX_WAKE_OP => wake_operation(words, private, counts, third),
        other => pass_on(word, UserTime(timeout.0), operation, other),
    }
}

/// Operations on locks that are handed on. Apart, so that the others have few registers to save.
#[inline(never)]
fn pass_on(address: usize, timeout: UserTime, flags: u32, operation: u32) -> Result {
    let private = flags & c::FUTEX_PRIVATE_FLAG != 0;
    match operation {
        c::FUTEX_LOCK_PI => inherit::lock(address, private, moment(timeout, c::FUTEX_CLOCK_REALTIME)?, false),
        c::FUTEX_LOCK_PI2 => inherit::lock(address, private, moment(timeout, flags)?, false),
        c::FUTEX_TRYLOCK_PI => inherit::lock(address, private, None, true),
        c::FUTEX_UNLOCK_PI => inherit::unlock(address, private),
        other => {
            kernel::debug!("futex: operation {other} is not there: ENOSYS");
            Err(Errno::ENOSYS)
        }
    }
}

/// A word that may be others' too is found by what is mapped there: EFAULT if nothing is.
#[inline(always)]
fn check_there(address: usize, private: bool) -> core::result::Result<(), Errno> {
    if private { check(address) } else { touch(address) }
}

#[cold]
#[inline(never)]
fn touch(address: usize) -> core::result::Result<(), Errno> {
    word(address).map(drop)
}

// In line: most wakes find nobody, and this call is one of those that are counted.
#[inline(always)]
fn wake_up(word: usize, private: bool, count: u32, bits: u32) -> Result {
    if bits == 0 {
        return Err(Errno::EINVAL);
    }
    if !private {
        return wake_shared(word, count, bits);
    }
    check(word)?;
    Ok(queue::wake(key(word, true), count as usize, bits))
}

#[inline(never)]
fn wake_some(word: usize, private: bool, count: u32, bits: u32) -> Result {
    wake_up(word, private, count, bits)
}

#[inline(never)]
fn wake_shared(word: usize, count: u32, bits: u32) -> Result {
    touch(word)?;
    Ok(queue::wake(key(word, false), count as usize, bits))
}

fn requeue(words: [usize; 2], private: bool, counts: [u32; 2], expected: Option<u32>) -> Result {
    let counts = counts.map(|count| usize::try_from(count.cast_signed()));
    let [Ok(wakes), Ok(moves)] = counts else { return Err(Errno::EINVAL) };
    words.into_iter().try_for_each(|word| check_there(word, private))?;
    let (woken, moved) = queue::requeue(keys(words, private), [wakes, moves], || match expected {
        Some(expected) => holds(words[0], expected),
        None => Ok(()),
    })?;
    // The manual says that FUTEX_REQUEUE answers the woken only; Linux counts both (`futex_requeue`).
    Ok(woken + moved)
}

fn keys(words: [usize; 2], private: bool) -> [Key; 2] {
    words.map(|word| key(word, private))
}

fn wait_on(address: usize, operation: u32, expected: u32, timeout: UserTime, bits: u32) -> Result {
    let private = operation & c::FUTEX_PRIVATE_FLAG != 0;
    if bits == 0 {
        return Err(Errno::EINVAL);
    }
    let deadline = match operation & c::FUTEX_WAIT_BITSET {
        0 => deadline(timeout)?,
        _ => moment(timeout, operation)?,
    };
    let ticket = queue::draw(key(address, private), bits, || holds(address, expected))?;
    let waited = signals::sleep_until(deadline, &mut || ticket.is_woken());
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
pub fn moment(limit: UserTime, flags: u32) -> core::result::Result<Option<u64>, Errno> {
    if limit.is_null() {
        return Ok(None);
    }
    let moment = nanoseconds(limit)?;
    if flags & c::FUTEX_CLOCK_REALTIME == 0 {
        return Ok(Some(moment));
    }
    Ok(Some(from_now(moment.saturating_sub(contracts::clock::wall()))))
}

/// FUTEX_WAKE_OP: changes a second word, and wakes those who wait for it if it was as told. The operation's bits, from
/// the top: the argument is a shift, operation (3), comparison (4), argument (12), compared with (12).
#[inline(never)]
fn wake_operation(words: [usize; 2], private: bool, counts: [u32; 2], bits: u32) -> Result {
    words.into_iter().try_for_each(check)?;
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
    let counts = counts.map(|count| count as usize);
    queue::wake_both(keys(words, private), counts, || {
        let old =
            user::update_int(UserAddress(words[1]), &mut |word| change(word.cast_signed()).map(i32::cast_unsigned))?;
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
