//! `HashMap`: hashbrown's with the standard library's hasher and signatures.

use core::{
    borrow::Borrow,
    fmt,
    hash::{BuildHasher, Hash},
    ops::Index,
};

use super::{
    TryReserveError,
    hash_map::{Drain, Entry, ExtractIf, IntoIter, IntoKeys, IntoValues, Iter, IterMut, Keys, Values, ValuesMut},
    refused,
};
use crate::hash::RandomState;

type Base<K, V, S> = hashbrown::HashMap<K, V, S>;

/// A table by hashes of keys.
#[derive(Clone)]
pub struct HashMap<K, V, S = RandomState> {
    base: Base<K, V, S>,
}

impl<K, V> HashMap<K, V> {
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

impl<K, V, S> HashMap<K, V, S> {
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

    /// Entries in it.
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

    /// The keys, in no order.
    pub fn keys(&self) -> Keys<'_, K, V> {
        self.base.keys()
    }

    /// The values, in no order.
    pub fn values(&self) -> Values<'_, K, V> {
        self.base.values()
    }

    /// The values, in no order.
    pub fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
        self.base.values_mut()
    }

    /// The keys, in no order.
    pub fn into_keys(self) -> IntoKeys<K, V> {
        self.base.into_keys()
    }

    /// The values, in no order.
    pub fn into_values(self) -> IntoValues<K, V> {
        self.base.into_values()
    }

    /// The entries, in no order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.base.iter()
    }

    /// The entries, in no order.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        self.base.iter_mut()
    }

    /// Takes all entries out.
    pub fn drain(&mut self) -> Drain<'_, K, V> {
        self.base.drain()
    }

    /// Takes out those entries that `wanted` says, as they are asked for.
    pub fn extract_if<F: FnMut(&K, &mut V) -> bool>(&mut self, wanted: F) -> ExtractIf<'_, K, V, F> {
        self.base.extract_if(wanted)
    }

    /// Keeps only the entries that `wanted` says.
    pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, wanted: F) {
        self.base.retain(wanted);
    }

    /// Empties it; the memory stays.
    pub fn clear(&mut self) {
        self.base.clear();
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> HashMap<K, V, S> {
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

    /// The key's place.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V, S> {
        self.base.entry(key)
    }

    /// The key's value.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.base.get(key)
    }

    /// The key as it is in the table, and its value.
    pub fn get_key_value<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.base.get_key_value(key)
    }

    /// The key's value.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.base.get_mut(key)
    }

    /// Several keys' values.
    ///
    /// # Panics
    /// If two keys are the same.
    pub fn get_disjoint_mut<Q: Hash + Eq + ?Sized, const N: usize>(&mut self, keys: [&Q; N]) -> [Option<&mut V>; N]
    where
        K: Borrow<Q>,
    {
        self.base.get_disjoint_mut(keys)
    }

    /// Whether the key is there.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.base.contains_key(key)
    }

    /// Sets the key's value; returns the old one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.base.insert(key, value)
    }

    /// Takes the key's value out.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.base.remove(key)
    }

    /// Takes the key and its value out.
    pub fn remove_entry<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.base.remove_entry(key)
    }
}

impl<K, V, S: Default> Default for HashMap<K, V, S> {
    fn default() -> Self {
        Self::with_hasher(S::default())
    }
}

impl<K: Eq + Hash, V: PartialEq, S: BuildHasher> PartialEq for HashMap<K, V, S> {
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base
    }
}

impl<K: Eq + Hash, V: Eq, S: BuildHasher> Eq for HashMap<K, V, S> {}

impl<K: fmt::Debug, V: fmt::Debug, S> fmt::Debug for HashMap<K, V, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Eq + Hash + Borrow<Q>, Q: Eq + Hash + ?Sized, V, S: BuildHasher> Index<&Q> for HashMap<K, V, S> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("no entry found for key")
    }
}

impl<K: Eq + Hash, V, S: BuildHasher + Default> FromIterator<(K, V)> for HashMap<K, V, S> {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(entries: T) -> Self {
        let mut map = Self::default();
        map.extend(entries);
        map
    }
}

impl<K: Eq + Hash, V, const N: usize> From<[(K, V); N]> for HashMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        Self::from_iter(entries)
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> Extend<(K, V)> for HashMap<K, V, S> {
    fn extend<T: IntoIterator<Item = (K, V)>>(&mut self, entries: T) {
        self.base.extend(entries);
    }
}

impl<'a, K: Eq + Hash + Copy, V: Copy, S: BuildHasher> Extend<(&'a K, &'a V)> for HashMap<K, V, S> {
    fn extend<T: IntoIterator<Item = (&'a K, &'a V)>>(&mut self, entries: T) {
        self.base.extend(entries);
    }
}

impl<K, V, S> IntoIterator for HashMap<K, V, S> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        self.base.into_iter()
    }
}

impl<'a, K, V, S> IntoIterator for &'a HashMap<K, V, S> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K, V, S> IntoIterator for &'a mut HashMap<K, V, S> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    fn into_iter(self) -> IterMut<'a, K, V> {
        self.iter_mut()
    }
}
