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

/// A digest of a stream, however it is cut: for accidents, not for enemies.
#[derive(Default)]
pub struct Digest {
    state: u64,
    /// Bytes of a word that is not whole yet.
    rest: [u8; 8],
    /// How many bytes have come.
    pub length: u64,
}

impl Digest {
    /// Takes bytes in.
    pub fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() && !self.length.is_multiple_of(8) {
            self.add_byte(bytes[0]);
            bytes = &bytes[1..];
        }
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add_word(u64::from_le_bytes(*word));
        }
        self.length += 8 * words.len() as u64;
        rest.iter().for_each(|byte| self.add_byte(*byte));
    }

    fn add_byte(&mut self, byte: u8) {
        self.rest[(self.length % 8) as usize] = byte;
        self.length += 1;
        if self.length.is_multiple_of(8) {
            self.add_word(u64::from_le_bytes(self.rest));
        }
    }

    const fn add_word(&mut self, word: u64) {
        self.state = (self.state.rotate_left(5) ^ word).wrapping_mul(SPREAD);
    }

    /// The digest of all that came.
    pub const fn finish(&self) -> u64 {
        let mut state = self.state;
        let mut at = 0;
        while at < self.length % 8 {
            state = (state.rotate_left(5) ^ self.rest[at as usize] as u64).wrapping_mul(SPREAD);
            at += 1;
        }
        state ^ self.length
    }
}
