//! What nobody else may know: keys of tables, and numbers that cannot be guessed. All of it follows from one secret
//! that the machine hands over, so a test repeats itself.

use core::hash::{BuildHasher, Hasher};

use siphasher::sip::{SipHasher13, SipHasher24};

/// A table whose places nobody outside can choose, so that none gets long (crafted collisions).
pub type Table<K, V> = hashbrown::HashMap<K, V, Keyed>;

/// Makes the hashers of tables.
#[derive(Clone, Copy)]
pub struct Keyed(u64, u64);

impl BuildHasher for Keyed {
    type Hasher = SipHasher13;

    fn build_hasher(&self) -> SipHasher13 {
        SipHasher13::new_with_keys(self.0, self.1)
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
