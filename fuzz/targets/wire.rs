//! Any bytes as frames, arriving in pieces of any size: the pieces make no difference to what is decoded.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::{Decoder, FromGuest, Header, HeaderError, MAX_PAYLOAD, ToGuest};

type Frames = (Vec<(Header, Vec<u8>)>, Option<HeaderError>);

/// Whole frames, up to the first error.
fn decode<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Frames {
    let (mut decoder, mut frames, mut payload) = (Decoder::new(), Vec::new(), Vec::new());
    for mut piece in pieces {
        loop {
            match decoder.next(&mut piece) {
                Ok(None) => break,
                Ok(Some(part)) => {
                    payload.extend_from_slice(part.payload);
                    assert!(payload.len() <= MAX_PAYLOAD);
                    if part.last {
                        assert_eq!(payload.len(), part.header.length as usize);
                        let _ = (FromGuest::from_byte(part.header.kind), ToGuest::from_byte(part.header.kind));
                        frames.push((part.header, std::mem::take(&mut payload)));
                    }
                }
                Err(error) => {
                    assert_eq!(decoder.next(&mut &b"more"[..]), Err(error));
                    return (frames, Some(error));
                }
            }
        }
        assert!(piece.is_empty());
    }
    (frames, None)
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&size, bytes)) = bytes.split_first() else { return };
    let whole = decode(std::iter::once(bytes));
    let pieces = decode(bytes.chunks(usize::from(size).max(1)));
    assert_eq!(whole, pieces);
});
