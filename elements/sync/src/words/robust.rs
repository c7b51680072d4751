//! Lists of locks that a dying thread lets go of (get_robust_list(2), `Documentation/locking/robust-futex-ABI.rst` of
//! Linux): a program's own memory, which may say anything.

/// Most entries of a list that are looked at: one that goes round has no end (ROBUST_LIST_LIMIT).
const MOST: usize = 2048;
/// The lowest bit of a link: the lock is handed on (FUTEX_LOCK_PI).
const INHERITS: usize = 1;

/// Goes through the list at `head`, which is the first link, the distance from a link to its lock's word, and the lock
/// that the thread was about to take or leave. `next` reads a link; what it cannot read ends the walk. `release` lets
/// go of the lock at an address, which inherits or not.
pub fn walk<E>(
    head: usize,
    [first, offset, pending]: [usize; 3],
    mut next: impl FnMut(usize) -> Result<usize, E>,
    mut release: impl FnMut(usize, bool),
) -> Result<(), E> {
    let mut link = first;
    for _ in 0..MOST {
        let place = link & !INHERITS;
        if place == head {
            break;
        }
        // The lock may be somebody else's as soon as it is let go of.
        let behind = next(place);
        if place != pending & !INHERITS {
            release(place.wrapping_add(offset), link & INHERITS != 0);
        }
        link = behind?;
    }
    if pending & !INHERITS != 0 {
        release((pending & !INHERITS).wrapping_add(offset), pending & INHERITS != 0);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{collections::BTreeMap, vec::Vec};

    use super::*;

    const HEAD: usize = 0x1000;

    /// Walks with these links in memory; the locks let go of, and whether the walk came to its end.
    fn walked(words: [usize; 3], memory: &[(usize, usize)]) -> (Vec<(usize, bool)>, Result<(), ()>) {
        let memory: BTreeMap<usize, usize> = memory.iter().copied().collect();
        let mut released = Vec::new();
        let next = |place: usize| memory.get(&place).copied().ok_or(());
        let result = walk(HEAD, words, next, |address, inherits| released.push((address, inherits)));
        (released, result)
    }

    #[test]
    fn each_lock_of_the_list_once_and_then_the_pending_one() {
        assert_eq!(walked([HEAD, 8, 0], &[]), (Vec::new(), Ok(())));
        let links = [(0x20, 0x41), (0x40, HEAD)];
        let locks = [(0x18, false), (0x38, true)];
        let minus_eight = 8_usize.wrapping_neg();
        assert_eq!(walked([0x20, minus_eight, 0], &links), (locks.to_vec(), Ok(())));
        let pending = [&locks[..], &[(0x68, true)]].concat();
        assert_eq!(walked([0x20, minus_eight, 0x71], &links), (pending, Ok(())));
        // In the list already: let go of last, and once.
        assert_eq!(walked([0x20, minus_eight, 0x20], &links), ([locks[1], locks[0]].to_vec(), Ok(())));
    }

    #[test]
    fn what_cannot_be_read_ends_the_walk_behind_its_lock() {
        assert_eq!(walked([0x20, 0, 0x80], &[(0x20, 0x40)]), ([(0x20, false), (0x40, false)].to_vec(), Err(())));
    }

    #[test]
    fn a_list_that_goes_round_has_an_end() {
        let (released, result) = walked([0x20, 0, 0x60], &[(0x20, 0x40), (0x40, 0x20)]);
        assert_eq!((released.len(), released.last(), result), (MOST + 1, Some(&(0x60, false)), Ok(())));
    }
}
