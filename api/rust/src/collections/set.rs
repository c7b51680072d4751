//! `HashSet`: hashbrown's with the standard library's hasher and signatures.

use core::{
    borrow::Borrow,
    fmt,
    hash::{BuildHasher, Hash},
    ops::{BitAnd, BitOr, BitXor, Sub},
};

use super::{
    TryReserveError,
    hash_set::{Difference, Drain, ExtractIf, Intersection, IntoIter, Iter, SymmetricDifference, Union},
    refused,
};
use crate::hash::RandomState;

type Base<T, S> = hashbrown::HashSet<T, S>;

/// A set by hashes of values.
#[derive(Clone)]
pub struct HashSet<T, S = RandomState> {
    base: Base<T, S>,
}

impl<T> HashSet<T> {
    /// Empty; without memory until the first insertion.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty, with room for so many.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::with_capacity_and_hasher(capacity, RandomState::new())
    }
}

impl<T, S> HashSet<T, S> {
    /// Empty, with that hasher.
    pub const fn with_hasher(hasher: S) -> Self {
        Self { base: Base::with_hasher(hasher) }
    }

    /// Empty, with room for so many, and that hasher.
    pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> Self {
        Self { base: Base::with_capacity_and_hasher(capacity, hasher) }
    }

    /// How many fit without more memory.
    pub fn capacity(&self) -> usize {
        self.base.capacity()
    }

    /// Values in it.
    pub fn len(&self) -> usize {
        self.base.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty()
    }

    /// The hasher.
    pub fn hasher(&self) -> &S {
        self.base.hasher()
    }

    /// The values, in no order.
    pub fn iter(&self) -> Iter<'_, T> {
        self.base.iter()
    }

    /// Takes all values out.
    pub fn drain(&mut self) -> Drain<'_, T> {
        self.base.drain()
    }

    /// Takes out those values that `wanted` says, as they are asked for.
    pub fn extract_if<F: FnMut(&T) -> bool>(&mut self, wanted: F) -> ExtractIf<'_, T, F> {
        self.base.extract_if(wanted)
    }

    /// Keeps only the values that `wanted` says.
    pub fn retain<F: FnMut(&T) -> bool>(&mut self, wanted: F) {
        self.base.retain(wanted);
    }

    /// Empties it; the memory stays.
    pub fn clear(&mut self) {
        self.base.clear();
    }
}

impl<T: Eq + Hash, S: BuildHasher> HashSet<T, S> {
    /// Room for so many more.
    pub fn reserve(&mut self, additional: usize) {
        self.base.reserve(additional);
    }

    /// Room for so many more.
    ///
    /// # Errors
    /// There is not so much memory.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.base.try_reserve(additional).map_err(refused)
    }

    /// Gives back memory that is not needed.
    pub fn shrink_to_fit(&mut self) {
        self.base.shrink_to_fit();
    }

    /// Gives back memory that is not needed for so many.
    pub fn shrink_to(&mut self, capacity: usize) {
        self.base.shrink_to(capacity);
    }

    /// What is here and not there.
    pub fn difference<'a>(&'a self, other: &'a Self) -> Difference<'a, T, S> {
        self.base.difference(&other.base)
    }

    /// What is in one of both only.
    pub fn symmetric_difference<'a>(&'a self, other: &'a Self) -> SymmetricDifference<'a, T, S> {
        self.base.symmetric_difference(&other.base)
    }

    /// What is in both.
    pub fn intersection<'a>(&'a self, other: &'a Self) -> Intersection<'a, T, S> {
        self.base.intersection(&other.base)
    }

    /// What is in either.
    pub fn union<'a>(&'a self, other: &'a Self) -> Union<'a, T, S> {
        self.base.union(&other.base)
    }

    /// Whether they have nothing in common.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.base.is_disjoint(&other.base)
    }

    /// Whether all of it is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.base.is_subset(&other.base)
    }

    /// Whether all of the other is in it.
    pub fn is_superset(&self, other: &Self) -> bool {
        self.base.is_superset(&other.base)
    }

    /// Whether the value is there.
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.base.contains(value)
    }

    /// The value as it is in the set.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        self.base.get(value)
    }

    /// Puts a value in; `false` if it was there.
    pub fn insert(&mut self, value: T) -> bool {
        self.base.insert(value)
    }

    /// Puts a value in; returns the one that was there.
    pub fn replace(&mut self, value: T) -> Option<T> {
        self.base.replace(value)
    }

    /// Takes a value out; `false` if it was not there.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.base.remove(value)
    }

    /// Takes a value out.
    pub fn take<Q: Hash + Eq + ?Sized>(&mut self, value: &Q) -> Option<T>
    where
        T: Borrow<Q>,
    {
        self.base.take(value)
    }
}

impl<T, S: Default> Default for HashSet<T, S> {
    fn default() -> Self {
        Self::with_hasher(S::default())
    }
}

impl<T: Eq + Hash, S: BuildHasher> PartialEq for HashSet<T, S> {
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base
    }
}

impl<T: Eq + Hash, S: BuildHasher> Eq for HashSet<T, S> {}

impl<T: fmt::Debug, S> fmt::Debug for HashSet<T, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

impl<T: Eq + Hash, S: BuildHasher + Default> FromIterator<T> for HashSet<T, S> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut set = Self::default();
        set.extend(values);
        set
    }
}

impl<T: Eq + Hash, const N: usize> From<[T; N]> for HashSet<T> {
    fn from(values: [T; N]) -> Self {
        Self::from_iter(values)
    }
}

impl<T: Eq + Hash, S: BuildHasher> Extend<T> for HashSet<T, S> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        self.base.extend(values);
    }
}

impl<'a, T: Eq + Hash + Copy, S: BuildHasher> Extend<&'a T> for HashSet<T, S> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.base.extend(values);
    }
}

impl<T, S> IntoIterator for HashSet<T, S> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        self.base.into_iter()
    }
}

impl<'a, T, S> IntoIterator for &'a HashSet<T, S> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

/// Sets from operators between sets.
macro_rules! operators {
    ($($operator:ident::$method:ident = $select:ident,)*) => {
        $(impl<T: Eq + Hash + Clone, S: BuildHasher + Default> $operator for &HashSet<T, S> {
            type Output = HashSet<T, S>;

            fn $method(self, other: Self) -> HashSet<T, S> {
                self.$select(other).cloned().collect()
            }
        })*
    };
}

operators! {
    BitAnd::bitand = intersection,
    BitOr::bitor = union,
    BitXor::bitxor = symmetric_difference,
    Sub::sub = difference,
}
