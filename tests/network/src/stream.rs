//! What flows through a connection: bytes that anybody can tell from their place and the stream's key.
//!
//! So a receiver knows at once which byte is wrong, and needs nothing of the sender.

use crate::random::mix;

/// One direction of a connection, as far as one end has seen it.
#[derive(Clone, Debug)]
pub struct Stream {
    key: u64,
    /// Bytes that have passed.
    pub passed: u64,
}

impl Stream {
    /// The stream of a key, before its first byte.
    #[must_use]
    pub const fn new(key: u64) -> Self {
        Self { key, passed: 0 }
    }

    /// Writes the bytes that come next to `to`. They count only when [`Stream::passed`] grows.
    pub fn peek(&self, to: &mut [u8]) {
        let mut at = self.passed;
        let mut rest = to;
        while !rest.is_empty() {
            let word = mix(self.key ^ (at / 8)).to_le_bytes();
            let from = &word[(at % 8) as usize..];
            let count = from.len().min(rest.len());
            let (now, later) = rest.split_at_mut(count);
            now.copy_from_slice(&from[..count]);
            at += count as u64;
            rest = later;
        }
    }

    /// Counts bytes that have come, or says which one is not what it should be.
    pub fn check(&mut self, bytes: &[u8]) -> Result<(), u64> {
        let mut right = vec![0; bytes.len()];
        self.peek(&mut right);
        match bytes.iter().zip(&right).position(|(is, should)| is != should) {
            None => {
                self.passed += bytes.len() as u64;
                Ok(())
            }
            Some(at) => Err(self.passed + at as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_do_not_matter() {
        let (whole, mut pieces) = (Stream::new(7), Stream::new(7));
        let mut all = [0; 100];
        whole.peek(&mut all);
        for piece in [0..1, 1..10, 10..40, 40..100] {
            assert_eq!(pieces.check(&all[piece]), Ok(()));
        }
        assert_eq!(pieces.passed, 100);
    }

    #[test]
    fn a_wrong_byte_is_found_at_its_place() {
        let mut stream = Stream::new(7);
        let mut bytes = [0; 20];
        stream.peek(&mut bytes);
        stream.check(&bytes).unwrap();
        stream.peek(&mut bytes);
        bytes[13] ^= 1;
        assert_eq!(stream.check(&bytes), Err(33));
    }
}
