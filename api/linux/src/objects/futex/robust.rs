//! Robust futexes: locks whose word names the owner and which a dying owner lets go of (get_robust_list(2),
//! `Documentation/locking/robust-futex-ABI.rst` of Linux).

use core::sync::atomic::Ordering;

use super::{inherit, queue, wake};
use crate::{
    Errno, current,
    objects::{process::current_in_line, user},
};
use linux_abi::UserAddress;

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
        if let Ok(owner) = user::read_int(UserAddress(address)) {
            queue::note_owner(word, owner as u32 & inherit::OWNER);
        }
    }
}

/// `struct robust_list_head` is three words.
fn walk(head: usize) -> Result<(), Errno> {
    let words = user::read_struct::<[usize; 3]>(UserAddress(head))?;
    sync::words::robust::walk(head, words, |place| user::read_word(UserAddress(place)), release)
}

fn release(address: usize, inherits: bool) {
    // musl's lists do not say which locks are handed on: who waits for one tells.
    let key = super::key(address, false);
    if inherit::bequeath(key, address, current().id(), inherits) {
        wake(key, 1, u32::MAX);
    }
}
