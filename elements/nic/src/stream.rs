//! Frames one behind the other in a stream of bytes, each behind its length: four bytes, the large one first. So speak
//! passt and QEMU (`-netdev stream`).

use alloc::vec::Vec;

use packets::{Bytes, Malformed, Offload, Packet};

/// Bytes of a length.
const HEAD: usize = 4;
/// Bytes of the longest frame that is believed in: the longest packet of IP, an Ethernet header with two tags.
const LONGEST: usize = 65_535 + 14 + 8;

/// What stands before a packet; `None` if it is none that can be sent.
#[must_use]
pub fn head(packet: &Packet) -> Option<[u8; HEAD]> {
    let length = packet.len();
    (1..=LONGEST).contains(&length).then(|| (length as u32).to_be_bytes())
}

/// The receiving end of a stream.
#[derive(Debug, Default)]
pub struct Frames {
    bytes: Vec<u8>,
    /// Bytes of them that are taken.
    taken: usize,
}

impl Frames {
    /// Nothing has come yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: Vec::new(), taken: 0 }
    }

    /// These bytes have come.
    pub fn put(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.taken);
        self.taken = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next frame, if it is all there; an error if what comes is no stream of frames, or out of step.
    pub fn take(&mut self) -> Result<Option<Packet>, Malformed> {
        let rest = &self.bytes[self.taken..];
        let Some((head, rest)) = rest.split_first_chunk::<HEAD>() else { return Ok(None) };
        let length = u32::from_be_bytes(*head) as usize;
        if !(1..=LONGEST).contains(&length) {
            return Err(Malformed::Length);
        }
        let Some(frame) = rest.get(..length) else { return Ok(None) };
        let packet = Packet::received(Bytes::copy_from_slice(frame), Offload::default());
        self.taken += HEAD + length;
        Ok(Some(packet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_out_however_they_are_cut() {
        let frames = [&[1; 60][..], &[2; 1], &[3; LONGEST]];
        let mut stream = Vec::new();
        for frame in frames {
            let packet = Packet::received(Bytes::copy_from_slice(frame), Offload::default());
            stream.extend(head(&packet).unwrap());
            stream.extend(packet.to_vec());
        }
        for piece in [1, 3, 61, 5000, stream.len()] {
            let (mut receiver, mut received) = (Frames::new(), Vec::new());
            for piece in stream.chunks(piece) {
                receiver.put(piece);
                while let Some(packet) = receiver.take().unwrap() {
                    received.push(packet.to_vec());
                }
            }
            assert!(received == frames && receiver.bytes.len() == receiver.taken);
        }
    }

    #[test]
    fn lengths_that_cannot_be_are_the_end() {
        for length in [0, LONGEST as u32 + 1, u32::MAX] {
            let mut receiver = Frames::new();
            receiver.put(&length.to_be_bytes());
            assert!(receiver.take().is_err());
        }
        assert!(head(&Packet::default()).is_none());
    }
}
