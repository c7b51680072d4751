//! Waiting for several words at once.

use alloc::{sync::Arc, vec::Vec};

use kernel::task::{Waited, sleep_until};
use linux_abi::{
    Errno, UserAddress, UserTime,
    constants::{CLOCK_MONOTONIC, CLOCK_REALTIME, FUTEX_CLOCK_REALTIME},
    structures::FutexWait,
};

use super::futex::moment;
use crate::{
    Result,
    objects::{
        futex::{
            ANY, check, holds, key,
            queue::{self, Ticket},
        },
        user,
    },
};

/// futex_waitv(2): waits on several words of memory.
///
/// Answers which of them was woken.
pub fn futex_waitv(words: UserAddress, count: u32, flags: u32, timeout: UserTime, clock: u32) -> Result {
    let count = count as usize;
    if flags != 0 || count == 0 || count > MOST || words.is_null() {
        return Err(Errno::EINVAL);
    }
    let deadline = match clock {
        _ if timeout.is_null() => None,
        CLOCK_MONOTONIC => moment(timeout, 0)?,
        CLOCK_REALTIME => moment(timeout, FUTEX_CLOCK_REALTIME)?,
        _ => return Err(Errno::EINVAL),
    };
    wait(&user::read_array(words, count)?, deadline)
}

/// Most words of one call (FUTEX_WAITV_MAX).
const MOST: usize = 128;
/// Flags of a word: its size, of which 32 bits are the only one there is, and that other processes have nothing to do
/// with it.
const SIZES: u32 = 3;
const SIZE_32: u32 = 2;
const PRIVATE: u32 = 128;

/// Waits until one of the words is woken; answers which.
fn wait(words: &[FutexWait], deadline: Option<u64>) -> Result {
    for word in words {
        let known = word.flags & !(SIZES | PRIVATE) == 0 && word.flags & SIZES == SIZE_32;
        if !known || word.reserved != 0 || word.val > u64::from(u32::MAX) {
            return Err(Errno::EINVAL);
        }
        check(word.uaddr as usize)?;
    }
    let mut tickets: Vec<Arc<Ticket>> = Vec::with_capacity(words.len());
    for word in words {
        let address = word.uaddr as usize;
        match queue::draw(key(address, word.flags & PRIVATE != 0), ANY, || holds(address, word.val as u32)) {
            Ok(ticket) => tickets.push(ticket),
            // A wake that came meanwhile is not lost.
            Err(error) => return give_up(&tickets).ok_or(error),
        }
    }
    let waited = sleep_until(deadline, &mut || tickets.iter().any(|ticket| ticket.is_woken()));
    give_up(&tickets).ok_or(match waited {
        Waited::TimedOut => Errno::ETIMEDOUT,
        _ => Errno::ERESTARTSYS,
    })
}

/// Waits for none any more; the last that was woken.
fn give_up(tickets: &[Arc<Ticket>]) -> Option<usize> {
    let mut woken = None;
    for (index, ticket) in tickets.iter().enumerate() {
        if !ticket.give_up() {
            woken = Some(index);
        }
    }
    woken
}
