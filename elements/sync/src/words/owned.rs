//! Words that name the owner of a lock, which is handed on to one who waits (FUTEX_LOCK_PI,
//! `Documentation/locking/pi-futex.rst` of Linux): what a word says, and what it becomes.
//!
//! A word is 0 or the owner's thread id, with two bits: somebody waits, and the last owner died.

/// Somebody waits (FUTEX_WAITERS).
pub const WAITERS: u32 = 1 << 31;
/// The last owner ended without letting go (FUTEX_OWNER_DIED).
pub const OWNER_DIED: u32 = 1 << 30;
/// The owner's id (FUTEX_TID_MASK).
pub const OWNER: u32 = OWNER_DIED - 1;

/// How one who wants the lock finds it, and what the word becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Free: it is his from now on.
    Free(u32),
    /// Another has it; the word says that somebody waits.
    Held(u32),
    /// He has it himself (EDEADLK).
    Own,
}

/// `own` wants the lock.
#[must_use]
pub const fn want(word: u32, own: u32) -> Found {
    match word & OWNER {
        // Who died is told of in the word, also to the next owner.
        0 => Found::Free(word | own),
        owner if owner == own => Found::Own,
        _ => Found::Held(word | WAITERS),
    }
}

/// `own` lets go of the lock, for `heir` if somebody waits, and `more` others may; `None` if it is not his (EPERM).
#[must_use]
pub const fn release(word: u32, own: u32, heir: Option<u32>, more: bool) -> Option<u32> {
    if word & OWNER != own {
        return None;
    }
    Some(owned(heir, more))
}

/// The owner `dead` has ended with the lock: the next one gets it and is told. Without one, and unless the lock
/// `inherits` for sure, also whether somebody waits as for an ordinary futex. `None` if the word is another's.
#[must_use]
pub const fn bequeath(word: u32, dead: u32, heir: Option<u32>, more: bool, inherits: bool) -> Option<(u32, bool)> {
    // musl lets go of the word by itself, and trusts the kernel to remember who waits.
    let is_its_own = word & OWNER == dead || word & OWNER == 0 && heir.is_some();
    if !is_its_own {
        return None;
    }
    if heir.is_some() {
        return Some((OWNER_DIED | owned(heir, more), false));
    }
    let waiters = if inherits { 0 } else { word & WAITERS };
    Some((OWNER_DIED | waiters, waiters != 0))
}

const fn owned(owner: Option<u32>, others_wait: bool) -> u32 {
    match owner {
        Some(owner) if others_wait => owner | WAITERS,
        Some(owner) => owner,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wants_a_lock() {
        assert_eq!(want(0, 7), Found::Free(7));
        assert_eq!(want(OWNER_DIED, 7), Found::Free(OWNER_DIED | 7));
        assert_eq!(want(WAITERS | OWNER_DIED, 7), Found::Free(WAITERS | OWNER_DIED | 7));
        assert_eq!((want(8, 7), want(8 | WAITERS, 7)), (Found::Held(8 | WAITERS), Found::Held(8 | WAITERS)));
        assert_eq!((want(7, 7), want(7 | WAITERS | OWNER_DIED, 7)), (Found::Own, Found::Own));
    }

    #[test]
    fn who_lets_go() {
        assert_eq!((release(7, 7, None, false), release(7 | WAITERS | OWNER_DIED, 7, None, false)), (Some(0), Some(0)));
        assert_eq!(release(7 | WAITERS, 7, Some(9), false), Some(9));
        assert_eq!(release(7 | WAITERS, 7, Some(9), true), Some(9 | WAITERS));
        assert_eq!((release(8, 7, Some(9), true), release(0, 7, None, false)), (None, None));
    }

    #[test]
    fn who_dies() {
        assert_eq!(bequeath(7, 7, None, false, false), Some((OWNER_DIED, false)));
        // As for an ordinary futex: whoever waits is to be woken, unless it is a lock that is handed on.
        assert_eq!(bequeath(7 | WAITERS, 7, None, false, false), Some((OWNER_DIED | WAITERS, true)));
        assert_eq!(bequeath(7 | WAITERS, 7, None, false, true), Some((OWNER_DIED, false)));
        assert_eq!(bequeath(7 | WAITERS, 7, Some(9), true, true), Some((OWNER_DIED | WAITERS | 9, false)));
        assert_eq!(bequeath(WAITERS, 7, Some(9), false, false), Some((OWNER_DIED | 9, false)));
        assert_eq!((bequeath(8, 7, Some(9), true, true), bequeath(0, 7, None, false, false)), (None, None));
    }
}
