//! Locks whose word names the owner, and that are handed to the one who has waited longest (FUTEX_LOCK_PI and its
//! relatives, `Documentation/locking/pi-futex.rst` of Linux).
//!
//! What a word says, and what it becomes, is in [`sync::words::owned`].
//!
//! The owner does not inherit its waiters' priority; what is promised is the order.

use kernel::task::{Waited, sleep_until};
use linux_abi::{Errno, UserAddress};
use sync::words::{Key, owned};

use super::{check, holds, key, queue, word};
use crate::{Result, current, objects::user, process};

pub use sync::words::owned::OWNER;

/// How an attempt to take a lock found it.
enum Found {
    /// Free: it is the caller's now.
    Free,
    /// Somebody has it; the word says that somebody waits now, and is this.
    Held(u32),
}

/// Takes the lock at `address`, or waits for it until `deadline`; with `only_try`, EAGAIN if it is not free.
pub fn lock(address: usize, private: bool, deadline: Option<u64>, only_try: bool) -> Result {
    check(address)?;
    loop {
        let Found::Held(word) = attempt(address, only_try)? else { return Ok(0) };
        let key = key(address, private);
        let ticket = match queue::draw_for_lock(key, address, word & OWNER, || holds(address, word)) {
            Ok(ticket) => ticket,
            Err(Errno::EAGAIN) => continue,
            Err(errno) => return Err(errno),
        };
        let waited = sleep_until(deadline, &mut || ticket.is_woken());
        // Who was woken has been made the owner.
        if waited == Waited::Ready(()) || !queue::give_up_lock(&ticket, key) {
            return Ok(0);
        }
        return Err(if waited == Waited::TimedOut { Errno::ETIMEDOUT } else { Errno::ERESTARTNOINTR });
    }
}

fn attempt(address: usize, only_try: bool) -> core::result::Result<Found, Errno> {
    let own = current().id();
    loop {
        let (mut found, mut seen) = (Found::Free, 0);
        let result = user::update_int(UserAddress(address), &mut |word| {
            seen = word;
            match owned::want(word, own) {
                owned::Found::Free(taken) => {
                    found = Found::Free;
                    Ok(taken)
                }
                owned::Found::Own => Err(Errno::EDEADLK),
                owned::Found::Held(_) if only_try => Err(Errno::EAGAIN),
                owned::Found::Held(_) if process().threads.lock().find((word & OWNER) as i32).is_none() => {
                    Err(Errno::ESRCH)
                }
                owned::Found::Held(awaited) => {
                    found = Found::Held(awaited);
                    Ok(awaited)
                }
            }
        });
        match result {
            Ok(_) => return Ok(found),
            // The owner may have let go of it, and ended, since the word was read.
            Err(Errno::ESRCH) if word(address)? != seen => {}
            Err(errno) => return Err(errno),
        }
    }
}

/// Gives the lock to the one who has waited longest, or lets it go.
pub fn unlock(address: usize, private: bool) -> Result {
    check(address)?;
    let own = current().id();
    queue::hand_on(key(address, private), |heir, more| {
        user::update_int(UserAddress(address), &mut |word| owned::release(word, own, heir, more).ok_or(Errno::EPERM))
            .map(|_| ())
    })?;
    Ok(0)
}

/// The owner `dead` has ended with the lock `key`, at `address`: the next one gets it and is told. Without one, and
/// unless the lock `inherits` for sure, answers whether somebody waits for it as for an ordinary futex.
pub fn bequeath(key: Key, address: usize, dead: u32, inherits: bool) -> bool {
    let mut somebody_waits = false;
    // A word that has gone, or is somebody else's, is left alone.
    let _ = queue::hand_on(key, |heir, more| {
        user::update_int(UserAddress(address), &mut |word| {
            let (left, waits) = owned::bequeath(word, dead, heir, more, inherits).ok_or(Errno::EPERM)?;
            somebody_waits = waits;
            Ok(left)
        })
        .map(|_| ())
    });
    somebody_waits
}
