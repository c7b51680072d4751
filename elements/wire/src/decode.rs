//! Frames out of a stream of bytes that arrives in pieces of any size.

use crate::{HEADER, Header, HeaderError};

/// Finds the frames in a stream without storing their payload: a frame's payload comes out in as many pieces as it
/// came in.
#[derive(Clone, Debug)]
pub struct Decoder {
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// Collecting a header, of which so many bytes are there.
    Header([u8; HEADER], usize),
    /// So many bytes of this frame's payload are missing.
    Payload(Header, usize),
    /// The peer is not honest.
    Failed(HeaderError),
}

/// A part of a frame. Each frame has at least one, the one that is `last`; empty parts come only of empty frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The frame's header.
    pub header: Header,
    /// The next bytes of its payload.
    pub payload: &'a [u8],
    /// Whether the frame ends here.
    pub last: bool,
}

impl Decoder {
    /// A decoder before the first byte.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: State::Header([0; HEADER], 0) }
    }

    /// Takes the next piece from the front of `bytes`; `None` when all of them have been taken. After an error there
    /// is no telling where a frame starts: every further call gives it again.
    pub fn next<'a>(&mut self, bytes: &mut &'a [u8]) -> Result<Option<Piece<'a>>, HeaderError> {
        loop {
            match &mut self.state {
                State::Failed(error) => return Err(*error),
                State::Payload(header, missing) => {
                    if bytes.is_empty() {
                        return Ok(None);
                    }
                    let (header, payload) = (*header, take(bytes, *missing));
                    *missing -= payload.len();
                    let last = *missing == 0;
                    if last {
                        *self = Self::new();
                    }
                    return Ok(Some(Piece { header, payload, last }));
                }
                State::Header(collected, have) => {
                    let part = take(bytes, HEADER - *have);
                    collected[*have..*have + part.len()].copy_from_slice(part);
                    *have += part.len();
                    if *have < HEADER {
                        return Ok(None);
                    }
                    match Header::decode(collected) {
                        Err(error) => self.state = State::Failed(error),
                        Ok(header) if header.length == 0 => {
                            *self = Self::new();
                            return Ok(Some(Piece { header, payload: &[], last: true }));
                        }
                        Ok(header) => self.state = State::Payload(header, header.length as usize),
                    }
                }
            }
        }
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

/// Takes at most `most` bytes from the front.
fn take<'a>(bytes: &mut &'a [u8], most: usize) -> &'a [u8] {
    let (part, rest) = bytes.split_at(most.min(bytes.len()));
    *bytes = rest;
    part
}

#[cfg(test)]
mod tests {
    use std::{vec, vec::Vec};

    use super::*;
    use crate::MAX_PAYLOAD;

    fn frame(kind: u8, payload: &[u8]) -> Vec<u8> {
        let header = Header { kind, argument: 0, length: payload.len() as u32, number: -1 };
        [&header.encode()[..], payload].concat()
    }

    #[test]
    fn frames_survive_any_cutting() {
        let payloads = [vec![], vec![1; 8], vec![2; MAX_PAYLOAD], vec![], vec![3]];
        let stream: Vec<u8> =
            payloads.iter().enumerate().flat_map(|(kind, payload)| frame(kind as u8, payload)).collect();
        for cut in [1, 3, 15, 16, 17, 4096, stream.len()] {
            if cfg!(miri) && cut < 4096 {
                continue;
            }
            let (mut decoder, mut frames, mut payload) = (Decoder::new(), vec![], vec![]);
            for mut chunk in stream.chunks(cut) {
                while let Some(piece) = decoder.next(&mut chunk).unwrap() {
                    payload.extend_from_slice(piece.payload);
                    if piece.last {
                        assert_eq!((piece.header.kind as usize, piece.header.number), (frames.len(), -1));
                        frames.push(core::mem::take(&mut payload));
                    }
                }
                assert!(chunk.is_empty());
            }
            assert_eq!(frames, payloads, "cut every {cut}");
        }
    }

    #[test]
    fn after_nonsense_there_is_nothing_but_the_error() {
        let mut decoder = Decoder::new();
        let mut bytes = &[0xff; 64][..];
        assert_eq!(decoder.next(&mut bytes), Err(HeaderError::TooLong(u32::MAX)));
        assert_eq!(decoder.next(&mut &[0; 16][..]), Err(HeaderError::TooLong(u32::MAX)));
    }
}
