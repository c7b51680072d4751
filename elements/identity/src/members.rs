//! Members that have numbers, each new one a greater number: the threads of a process.

use alloc::collections::BTreeMap;
use core::marker::PhantomData;

/// What is constant of members: a parameter of [`Members`], for where few bytes count.
pub trait Several {
    /// Whether there may be more than one. Else no tree is in the image.
    fn several() -> bool;
}

/// Members in the order of their numbers.
///
/// The youngest one stands apart: threads that end soon after they began, and programs with one, need no tree.
#[derive(Debug)]
pub struct Members<K, T, S> {
    youngest: Option<(K, T)>,
    older: BTreeMap<K, T>,
    /// No older one has a greater number.
    greatest: Option<K>,
    several: PhantomData<fn() -> S>,
}

impl<K: Ord + Copy, T, S: Several> Default for Members<K, T, S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Ord + Copy, T, S: Several> Members<K, T, S> {
    /// Nobody.
    #[must_use]
    pub const fn new() -> Self {
        Self { youngest: None, older: BTreeMap::new(), greatest: None, several: PhantomData }
    }

    /// Adds a member with a number that nobody has.
    pub fn add(&mut self, number: K, member: T) {
        // Two may be made at once, and the younger one be faster.
        let is_youngest = self.youngest.as_ref().is_none_or(|(youngest, _)| *youngest < number)
            && self.greatest.is_none_or(|greatest| greatest < number);
        let older = if is_youngest { self.youngest.replace((number, member)) } else { Some((number, member)) };
        if let Some((number, member)) = older
            && S::several()
        {
            self.greatest = self.greatest.max(Some(number));
            self.older.insert(number, member);
        }
    }

    /// Takes the member with this number out.
    #[inline]
    pub fn remove(&mut self, number: &K) -> Option<T> {
        match self.youngest.take_if(|(youngest, _)| youngest == number) {
            Some((_, member)) => Some(member),
            None if S::several() => self.older.remove(number),
            None => None,
        }
    }

    /// The member with this number.
    #[must_use]
    pub fn get(&self, number: &K) -> Option<&T> {
        match &self.youngest {
            Some((youngest, member)) if youngest == number => Some(member),
            _ if S::several() => self.older.get(number),
            _ => None,
        }
    }

    /// The lowest number from this one on.
    #[must_use]
    pub fn next(&self, from: &K) -> Option<&K> {
        let older = if S::several() { self.older.range(from..).next() } else { None }.map(|(number, _)| number);
        older.or_else(|| self.youngest.as_ref().map(|(number, _)| number).filter(|number| *number >= from))
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        (if S::several() { self.older.len() } else { 0 }) + usize::from(self.youngest.is_some())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        S::several()
            .then(|| self.older.values())
            .into_iter()
            .flatten()
            .chain(self.youngest.as_ref().map(|(_, member)| member))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{cell::Cell, cmp::Ordering, vec::Vec};

    use super::*;

    std::thread_local! {
        static STEPS: Cell<usize> = const { Cell::new(0) };
    }

    struct Many;

    impl Several for Many {
        fn several() -> bool {
            true
        }
    }

    /// Counts how often it is compared.
    #[derive(Clone, Copy, Debug)]
    struct Number(u32);

    impl Ord for Number {
        fn cmp(&self, other: &Self) -> Ordering {
            STEPS.set(STEPS.get() + 1);
            self.0.cmp(&other.0)
        }
    }

    impl PartialOrd for Number {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl PartialEq for Number {
        fn eq(&self, other: &Self) -> bool {
            self.cmp(other).is_eq()
        }
    }

    impl Eq for Number {}

    #[test]
    fn they_are_in_the_order_of_their_numbers() {
        let mut members = Members::<_, _, Many>::new();
        for number in [1, 2, 5, 4, 9, 8] {
            members.add(number, 10 * number);
        }
        let order = |members: &Members<u32, u32, Many>| members.iter().copied().collect::<Vec<_>>();
        assert_eq!((members.count(), order(&members)), (6, [10, 20, 40, 50, 80, 90].to_vec()));
        assert_eq!(
            [0, 3, 5, 9, 10].map(|from| members.next(&from).copied()),
            [Some(1), Some(4), Some(5), Some(9), None]
        );
        assert_eq!([9, 9, 1, 5].map(|number| members.remove(&number)), [Some(90), None, Some(10), Some(50)]);
        // The youngest has gone, and one comes that is none.
        members.add(6, 60);
        assert_eq!((members.get(&6), members.get(&8), members.get(&9)), (Some(&60), Some(&80), None));
        assert_eq!((members.count(), members.next(&5), members.next(&7)), (4, Some(&6), Some(&8)));
        assert_eq!(order(&members), [20, 40, 60, 80]);
    }

    /// As many threads as a process may have, that end in the order in which they began, the other way round, and in
    /// none.
    #[test]
    #[cfg_attr(miri, ignore = "thousands take minutes")]
    fn thousands_come_and_go_in_steps_by_their_logarithm() {
        const MANY: u32 = 32_768;
        let orders: [fn(u32) -> u32; 3] = [|index| index, |index| MANY - 1 - index, |index| (index * 7919 + 5) % MANY];
        for order in orders {
            let mut members = Members::<_, _, Many>::new();
            STEPS.set(0);
            for number in 0..MANY {
                members.add(Number(number), ());
                assert_eq!(members.next(&Number(number)).map(|next| next.0), Some(number));
            }
            for index in 0..MANY {
                let number = Number(order(index));
                assert!(members.get(&number).is_some() && members.remove(&number).is_some());
            }
            assert_eq!(members.count(), 0);
            // Four searches each, through nodes of up to eleven numbers.
            let most = (16 * MANY * MANY.ilog2()) as usize;
            assert!(STEPS.get() <= most, "{} steps, more than {most}", STEPS.get());
        }
    }
}
