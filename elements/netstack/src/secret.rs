//! What nobody else may know: keys of tables, and numbers that cannot be guessed. All of it follows from one secret
//! that the machine hands over, so a test repeats itself.

use core::hash::{BuildHasher, Hasher};

use siphasher::sip::{SipHasher13, SipHasher24};
use zerocopy::IntoBytes;

/// A table whose places nobody outside can choose, so that none gets long (crafted collisions).
pub type Table<K, V> = hashbrown::HashMap<K, V, Keyed>;

/// Makes the hashers of tables.
#[derive(Clone, Copy)]
pub struct Keyed(u64, u64);

impl BuildHasher for Keyed {
    type Hasher = Gathered;

    fn build_hasher(&self) -> Gathered {
        Gathered { key: *self, words: [0; WORDS], count: 0 }
    }
}

/// Words that are hashed at once.
const WORDS: usize = 8;

/// Gathers what keys are made of and hashes it in one piece: a key of addresses and ports has many small fields, each
/// of which would cost as much as all of them. A field is a word, so that none runs into the next.
#[derive(Clone, Debug)]
pub struct Gathered {
    key: Keyed,
    words: [u64; WORDS],
    count: usize,
}

impl Gathered {
    #[inline]
    fn add(&mut self, word: u64) {
        if self.count == WORDS {
            // What was gathered becomes the first word of what follows.
            self.words[0] = self.finish();
            self.count = 1;
        }
        self.words[self.count] = word;
        self.count += 1;
    }
}

impl Hasher for Gathered {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            self.add(rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        }
    }

    #[inline]
    fn write_u8(&mut self, field: u8) {
        self.add(field.into());
    }

    #[inline]
    fn write_u16(&mut self, field: u16) {
        self.add(field.into());
    }

    #[inline]
    fn write_u32(&mut self, field: u32) {
        self.add(field.into());
    }

    #[inline]
    fn write_u64(&mut self, field: u64) {
        self.add(field);
    }

    #[inline]
    fn write_usize(&mut self, field: usize) {
        self.add(field as u64);
    }

    fn finish(&self) -> u64 {
        let mut hasher = SipHasher13::new_with_keys(self.key.0, self.key.1);
        hasher.write(self.words[..self.count].as_bytes());
        hasher.finish()
    }
}

impl core::fmt::Debug for Keyed {
    /// Never the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Keyed")
    }
}

/// The machine's secret.
#[derive(Clone, Copy)]
pub struct Secret([u8; 32]);

impl core::fmt::Debug for Secret {
    /// Never the secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// Takes bytes that nobody can guess.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A key for one purpose: those for others say nothing about it.
    #[must_use]
    pub fn key(&self, purpose: &str) -> Keyed {
        Keyed(self.number(0, purpose), self.number(1, purpose))
    }

    /// An empty table of its own key.
    #[must_use]
    pub fn table<K, V>(&self, purpose: &str) -> Table<K, V> {
        Table::with_hasher(self.key(purpose))
    }

    /// Numbers for one purpose.
    #[must_use]
    pub fn random(&self, purpose: &str) -> Random {
        Random { key: self.key(purpose), drawn: 0 }
    }

    /// A secret for one purpose, that says nothing about this one.
    #[must_use]
    pub fn part(&self, purpose: &str) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (index, place) in bytes.chunks_mut(8).enumerate() {
            place.copy_from_slice(&self.number(2 + index as u8, purpose).to_be_bytes());
        }
        bytes
    }

    fn number(&self, index: u8, purpose: &str) -> u64 {
        let half = |at: usize| self.0[at..at + 8].iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let mut hasher = SipHasher24::new_with_keys(half(0), half(8));
        hasher.write(&self.0[16..]);
        hasher.write_u8(index);
        hasher.write(purpose.as_bytes());
        hasher.finish()
    }
}

/// Numbers that cannot be foreseen without the secret: a counter, hashed with a key.
#[derive(Clone, Debug)]
pub struct Random {
    key: Keyed,
    drawn: u64,
}

impl Random {
    /// The next one.
    pub fn next(&mut self) -> u64 {
        self.drawn += 1;
        self.key.hash_one(self.drawn)
    }

    /// One below `end`, which is not 0. The bias is below `end` in 2^64.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// A span up to `longest`.
    pub fn up_to(&mut self, longest: core::time::Duration) -> core::time::Duration {
        let nanos = u64::try_from(longest.as_nanos()).unwrap_or(u64::MAX - 1);
        core::time::Duration::from_nanos(self.below(nanos.saturating_add(1)))
    }
}

#[cfg(test)]
mod tests {
    use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn fields_do_not_run_into_each_other_and_keys_differ() {
        let secret = Secret::new([7; 32]);
        let (one, other) = (secret.key("one"), secret.key("other"));
        let fields = [(0_u8, 0x0102_u16), (1, 2), (0, 2), (2, 1)];
        let mut hashes: BTreeSet<u64> = fields.iter().map(|fields| one.hash_one(fields)).collect();
        hashes.extend(fields.iter().map(|fields| other.hash_one(fields)));
        let addresses = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        hashes.extend(addresses.map(|address| one.hash_one(address)));
        assert_eq!(hashes.len(), 10);
        assert_eq!(one.hash_one(addresses[1]), secret.key("one").hash_one(addresses[1]));
    }

    #[test]
    fn a_long_key_counts_from_its_first_field_to_its_last() {
        let key = Secret::new([3; 32]).key("long");
        let ends = |first: u16, last: u16| {
            let end = |port| SocketAddr::new(Ipv6Addr::LOCALHOST.into(), port);
            key.hash_one((end(first), end(5), end(6), end(last)))
        };
        let hashes = BTreeSet::from([ends(1, 1), ends(1, 2), ends(2, 1)]);
        assert_eq!(hashes.len(), 3);
    }
}
