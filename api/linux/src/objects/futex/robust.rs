//! Robust futexes: locks whose word names the owner and which a dying owner lets go of (get_robust_list(2),
//! `Documentation/locking/robust-futex-ABI.rst` of Linux).

use core::sync::atomic::Ordering;

use super::{inherit, queue, wake};
use crate::{
    Errno, current,
    objects::{process::current_in_line, user},
};

/// Most entries of a list that are looked at: one that goes round has no end (ROBUST_LIST_LIMIT).
const MOST: usize = 2048;
/// The lowest bit of a link: the lock is handed on (FUTEX_LOCK_PI).
const INHERITS: usize = 1;

/// Lets go of what the running thread, which ends, has in its list. What cannot be read ends the walk, as on Linux.
pub fn let_go() {
    let list = &current_in_line().robust_list;
    let head = list.load(Ordering::Relaxed);
    if head != 0 {
        list.store(0, Ordering::Relaxed);
        let _ = walk(head);
    }
    // Locks that are handed on need not be in the list.
    if queue::somebody_inherits() {
        bequeath_all();
    }
}

#[cold]
#[inline(never)]
fn bequeath_all() {
    let own = current().id();
    for (word, address) in queue::words_of(own) {
        inherit::bequeath(word, address, own, true);
        // What was not this thread's any more is looked at again when that one ends whose it is.
        if let Ok(owner) = user::read_int(address) {
            queue::note_owner(word, owner as u32 & inherit::OWNER);
        }
    }
}

/// `struct robust_list_head`: the first link, the distance from a link to its lock's word, and the lock that the
/// thread was about to take or leave.
fn walk(head: usize) -> Result<(), Errno> {
    let [mut link, offset, pending] = user::read_struct::<[usize; 3]>(head)?;
    for _ in 0..MOST {
        let place = link & !INHERITS;
        if place == head {
            break;
        }
        // The lock may be somebody else's as soon as it is let go of.
        let next = user::read_word(place);
        if place != pending & !INHERITS {
            release(place.wrapping_add(offset), link & INHERITS != 0);
        }
        link = next?;
    }
    if pending & !INHERITS != 0 {
        release((pending & !INHERITS).wrapping_add(offset), pending & INHERITS != 0);
    }
    Ok(())
}

fn release(address: usize, inherits: bool) {
    // musl's lists do not say which locks are handed on: who waits for one tells.
    let key = super::key(address, false);
    if inherit::bequeath(key, address, current().id(), inherits) {
        wake(key, 1, u32::MAX);
    }
}
