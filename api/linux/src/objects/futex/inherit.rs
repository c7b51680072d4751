//! Locks whose word names the owner, and that are handed to the one who has waited longest (FUTEX_LOCK_PI and its
//! relatives, `Documentation/locking/pi-futex.rst` of Linux).
//!
//! The word is 0 or the owner's thread id, with two bits: somebody waits, and the last owner died.
//!
//! The owner does not inherit its waiters' priority; what is promised is the order.

use kernel::task::{Waited, sleep_until};
use linux_abi::Errno;
use sync::words::Key;

use super::{check, holds, key, queue, word};
use crate::{Result, current, objects::user, process};

/// Somebody waits (FUTEX_WAITERS).
pub const WAITERS: u32 = 1 << 31;
/// The last owner ended without letting go (FUTEX_OWNER_DIED).
pub const OWNER_DIED: u32 = 1 << 30;
/// The owner's id (FUTEX_TID_MASK).
pub const OWNER: u32 = OWNER_DIED - 1;

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
        let result = user::update_int(address, &mut |word| {
            seen = word;
            let owner = word & OWNER;
            if owner == 0 {
                found = Found::Free;
                return Ok(word | own);
            }
            if owner == own {
                return Err(Errno::EDEADLK);
            }
            if only_try {
                return Err(Errno::EAGAIN);
            }
            if process().threads.lock().find(owner as i32).is_none() {
                return Err(Errno::ESRCH);
            }
            found = Found::Held(word | WAITERS);
            Ok(word | WAITERS)
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
        user::update_int(address, &mut |word| {
            if word & OWNER != own { Err(Errno::EPERM) } else { Ok(heir.map_or(0, |heir| owned(heir, more))) }
        })
        .map(|_| ())
    })?;
    Ok(0)
}

/// The owner `dead` has ended with the lock `key`, at `address`: the next one gets it and is told. Without one, and unless the
/// lock `inherits` for sure, answers whether somebody waits for it as for an ordinary futex.
pub fn bequeath(key: Key, address: usize, dead: u32, inherits: bool) -> bool {
    let mut somebody_waits = false;
    // A word that has gone, or is somebody else's, is left alone.
    let _ = queue::hand_on(key, |heir, more| {
        user::update_int(address, &mut |word| {
            // musl lets go of the word by itself, and trusts the kernel to remember who waits.
            let is_its_own = word & OWNER == dead || word & OWNER == 0 && heir.is_some();
            if !is_its_own {
                return Err(Errno::EPERM);
            }
            let waiters = if inherits { 0 } else { word & WAITERS };
            somebody_waits = heir.is_none() && waiters != 0;
            Ok(OWNER_DIED | heir.map_or(waiters, |heir| owned(heir, more)))
        })
        .map(|_| ())
    });
    somebody_waits
}

const fn owned(owner: u32, others_wait: bool) -> u32 {
    owner | if others_wait { WAITERS } else { 0 }
}
