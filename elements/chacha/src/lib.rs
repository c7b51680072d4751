//! A random generator: ChaCha20 (RFC 8439) with fast key erasure
//! (<https://blog.cr.yp.to/20170723-random.html>).
//!
//! Own code, where a library would be the rule, for two reasons. The crates either choose vector instructions when
//! they run (`chacha20`), which a kernel without vector registers must not, or make four blocks at a time through a
//! generic layer (`rand_chacha`: 12,000 instructions and 7 KB for a program's first 16 bytes, a fifth of what a boot
//! may cost). And one block is forty lines with a published test vector.
#![no_std]
#![forbid(unsafe_code)]

/// Bytes of a key.
pub const KEY: usize = 32;
/// Bytes of a block.
const BLOCK: usize = 64;
/// "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// A generator. What it has given out cannot be computed from it afterwards: each block that is made brings a new key,
/// and bytes that wait to be asked for are erased as they go.
#[derive(Debug)]
pub struct Generator {
    key: [u8; KEY],
    /// The second half of a block, for small wishes.
    waiting: [u8; BLOCK - KEY],
    /// How many of those are left, at the end.
    left: usize,
}

impl Generator {
    /// Starts from `seed`.
    #[must_use]
    pub const fn new(seed: [u8; KEY]) -> Self {
        Self { key: seed, waiting: [0; BLOCK - KEY], left: 0 }
    }

    /// Fills `buffer` with random bytes.
    pub fn fill(&mut self, buffer: &mut [u8]) {
        let (small, large) = buffer.split_at_mut(buffer.len().min(self.waiting.len()));
        if self.left < small.len() || !large.is_empty() {
            self.renew(large);
        }
        let start = self.waiting.len() - self.left;
        let taken = &mut self.waiting[start..start + small.len()];
        small.copy_from_slice(taken);
        taken.fill(0);
        self.left -= small.len();
    }

    /// Makes a block for the next key and the waiting bytes, and as many more as `buffer` takes.
    fn renew(&mut self, buffer: &mut [u8]) {
        let first = block(&self.key, 0, [0; 3]);
        for (piece, number) in buffer.chunks_mut(BLOCK).zip(1_u64..) {
            // The counter goes on in the nonce, whose other words are zero: no key serves 2^64 blocks.
            let bytes = block(&self.key, number as u32, [(number >> 32) as u32, 0, 0]);
            piece.copy_from_slice(&bytes[..piece.len()]);
        }
        self.key.copy_from_slice(&first[..KEY]);
        self.waiting.copy_from_slice(&first[KEY..]);
        self.left = self.waiting.len();
    }
}

/// One block of the key stream (RFC 8439, 2.3).
fn block(key: &[u8; KEY], counter: u32, nonce: [u32; 3]) -> [u8; BLOCK] {
    let mut initial = [0; 16];
    initial[..4].copy_from_slice(&CONSTANTS);
    for (word, bytes) in initial[4..12].iter_mut().zip(key.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    initial[12] = counter;
    initial[13..].copy_from_slice(&nonce);
    let mut state = initial;
    for _ in 0..10 {
        quarter_round::<0, 4, 8, 12>(&mut state);
        quarter_round::<1, 5, 9, 13>(&mut state);
        quarter_round::<2, 6, 10, 14>(&mut state);
        quarter_round::<3, 7, 11, 15>(&mut state);
        quarter_round::<0, 5, 10, 15>(&mut state);
        quarter_round::<1, 6, 11, 12>(&mut state);
        quarter_round::<2, 7, 8, 13>(&mut state);
        quarter_round::<3, 4, 9, 14>(&mut state);
    }
    let mut bytes = [0; BLOCK];
    for ((out, word), first) in bytes.as_chunks_mut().0.iter_mut().zip(state).zip(initial) {
        *out = word.wrapping_add(first).to_le_bytes();
    }
    bytes
}

/// RFC 8439, 2.1. The places are constants, so that no index is checked when it runs.
#[inline(always)]
fn quarter_round<const A: usize, const B: usize, const C: usize, const D: usize>(state: &mut [u32; 16]) {
    state[A] = state[A].wrapping_add(state[B]);
    state[D] = (state[D] ^ state[A]).rotate_left(16);
    state[C] = state[C].wrapping_add(state[D]);
    state[B] = (state[B] ^ state[C]).rotate_left(12);
    state[A] = state[A].wrapping_add(state[B]);
    state[D] = (state[D] ^ state[A]).rotate_left(8);
    state[C] = state[C].wrapping_add(state[D]);
    state[B] = (state[B] ^ state[C]).rotate_left(7);
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::collections::BTreeSet;

    use super::*;

    /// RFC 8439, 2.3.2.
    #[test]
    fn a_block_is_the_standard_s() {
        let key = core::array::from_fn(|index| index as u8);
        let bytes = block(&key, 1, [0x0900_0000, 0x4a00_0000, 0]);
        let expected = [
            0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4, 0xc7, 0xd1,
            0xf4, 0xc7, 0x33, 0xc0, 0x68, 0x03, 0x04, 0x22, 0xaa, 0x9a, 0xc3, 0xd4, 0x6c, 0x4e, 0xd2, 0x82, 0x64, 0x46,
            0x07, 0x9f, 0xaa, 0x09, 0x14, 0xc2, 0xd7, 0x05, 0xd9, 0x8b, 0x02, 0xa2, 0xb5, 0x12, 0x9c, 0xd1, 0xde, 0x16,
            0x4e, 0xb9, 0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c, 0x4e,
        ];
        assert_eq!(bytes, expected);
    }

    #[test]
    fn every_byte_of_every_length_is_filled_and_nothing_repeats() {
        let mut generator = Generator::new([7; KEY]);
        let mut seen = BTreeSet::new();
        for length in (8..300).step_by(if cfg!(miri) { 73 } else { 1 }) {
            let mut buffer = [0; 300];
            generator.fill(&mut buffer[..length]);
            assert!(buffer[length..].iter().all(|&byte| byte == 0));
            assert!(buffer[..length / 8 * 8].chunks(8).all(|bytes| seen.insert(bytes.to_vec())));
        }
    }
}
