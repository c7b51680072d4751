//! Where a name stands in the table, and what contents are known by.

use sha2::{Digest as _, Sha256};

/// SHA-256 of contents (FIPS 180-4).
pub type Digest = [u8; 32];

/// The digest of contents.
#[must_use]
pub fn digest(contents: &[u8]) -> Digest {
    Sha256::digest(contents).into()
}

/// 2^64 divided by the golden ratio, made odd: its multiples spread.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The place of a name and its tag, both in one number: low bits and high bits. It withstands nobody, and needs not to:
/// who writes the image chooses `seed` so that no name is far from its place.
#[inline]
pub(crate) fn of_name(name: &[u8], seed: u64) -> u64 {
    let mut hash = seed ^ (name.len() as u64).wrapping_mul(SPREAD);
    let mut rest = name;
    while let Some((word, behind)) = rest.split_first_chunk() {
        hash = mix(hash ^ u64::from_le_bytes(*word));
        rest = behind;
    }
    if rest.is_empty() { hash } else { mix(hash ^ tail(rest)) }
}

/// Up to seven bytes as a number.
#[inline]
fn tail(rest: &[u8]) -> u64 {
    rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[inline]
fn mix(word: u64) -> u64 {
    let product = word.wrapping_mul(SPREAD);
    product ^ product >> 29
}

/// A digest is its own hash.
#[inline]
pub(crate) fn of_digest(digest: &Digest, seed: u64) -> u64 {
    let (word, _) = digest.split_first_chunk().unwrap_or((&[0; 8], &[]));
    mix(seed ^ u64::from_le_bytes(*word))
}
