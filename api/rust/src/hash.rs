//! Hashing, as `std::hash` has it.

use core::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use siphasher::sip::SipHasher13;
use sync::Once;

pub use core::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

/// The standard library's hasher: SipHash 1-3.
#[derive(Clone)]
pub struct DefaultHasher(SipHasher13);

impl DefaultHasher {
    /// With keys of zero, so that the same values have the same hashes every time.
    #[must_use]
    pub fn new() -> Self {
        Self(SipHasher13::new())
    }
}

impl Default for DefaultHasher {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasher for DefaultHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

impl fmt::Debug for DefaultHasher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DefaultHasher(SipHasher13 { .. })")
    }
}

/// Keys for [`DefaultHasher`] that nobody outside can foresee.
#[derive(Clone)]
pub struct RandomState {
    keys: [u64; 2],
}

/// The first state's keys: the source of random bytes is asked once.
static KEYS: Once<[u64; 2]> = Once::new();

/// Added to the first key, so that no two states are alike.
static COUNT: AtomicU64 = AtomicU64::new(0);

fn random_keys() -> [u64; 2] {
    [0; 2].map(|_: u64| {
        let mut bytes = [0; 8];
        contracts::entropy::fill(&mut bytes);
        u64::from_ne_bytes(bytes)
    })
}

impl RandomState {
    /// With keys of its own.
    #[must_use]
    pub fn new() -> Self {
        let [first, second] = *KEYS.call_once(random_keys);
        Self { keys: [first.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed)), second] }
    }
}

impl Default for RandomState {
    fn default() -> Self {
        Self::new()
    }
}

impl BuildHasher for RandomState {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        let [first, second] = self.keys;
        DefaultHasher(SipHasher13::new_with_keys(first, second))
    }
}

impl fmt::Debug for RandomState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RandomState").finish_non_exhaustive()
    }
}
