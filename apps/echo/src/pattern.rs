//! Bytes that tell where in a stream they are, and a digest of bytes. Both cost a multiplication for eight bytes.

/// The golden ratio's fraction: its multiples are spread over all words.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The word number `index` of the pattern.
pub const fn word(index: u64) -> u64 {
    let word = (index + 1).wrapping_mul(SPREAD);
    word ^ word >> 29
}

/// Fills `bytes` as the pattern has it from word number `first` on. Words are little-endian.
pub fn fill(bytes: &mut [u8], first: u64) {
    let count = (bytes.len() / 8) as u64;
    // Words of a known length: a copy of any length is a call, which costs more than the word.
    let (words, rest) = bytes.as_chunks_mut::<8>();
    for (place, index) in words.iter_mut().zip(first..) {
        *place = word(index).to_le_bytes();
    }
    let length = rest.len();
    rest.copy_from_slice(&word(first + count).to_le_bytes()[..length]);
}

/// Words that are taken in side by side: a processor multiplies several at once, and none waits for another.
const LANES: usize = 4;
const BLOCK: usize = 8 * LANES;

/// A digest of a stream, however it is cut: for accidents, not for enemies.
#[derive(Default)]
pub struct Digest {
    lanes: [u64; LANES],
    /// Bytes of a block that is not whole yet.
    rest: [u8; BLOCK],
    /// How many bytes have come.
    pub length: u64,
}

/// What a word makes of a state.
const fn taken(state: u64, word: u64) -> u64 {
    (state.rotate_left(5) ^ word).wrapping_mul(SPREAD)
}

impl Digest {
    /// Takes bytes in.
    pub fn add(&mut self, mut bytes: &[u8]) {
        let held = self.held();
        if held > 0 {
            let (begun, others) = bytes.split_at(bytes.len().min(BLOCK - held));
            self.rest[held..held + begun.len()].copy_from_slice(begun);
            self.length += begun.len() as u64;
            if self.held() > 0 {
                return;
            }
            (self.lanes, bytes) = (with_block(self.lanes, &self.rest), others);
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        self.lanes = blocks.iter().fold(self.lanes, with_block);
        self.rest[..rest.len()].copy_from_slice(rest);
        self.length += bytes.len() as u64;
    }

    /// Bytes of the block that is not whole.
    const fn held(&self) -> usize {
        (self.length % BLOCK as u64) as usize
    }

    /// The digest of all that came.
    pub fn finish(&self) -> u64 {
        let rest = self.rest[..self.held()].iter().map(|byte| u64::from(*byte));
        self.lanes.into_iter().chain(rest).fold(0, taken) ^ self.length
    }
}

/// What a block makes of the lanes.
fn with_block(mut lanes: [u64; LANES], block: &[u8; BLOCK]) -> [u64; LANES] {
    for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
        *lane = taken(*lane, u64::from_le_bytes(*word));
    }
    lanes
}
