//! Frames in a stream of bytes: however they are cut, the same frames come out, and nothing is kept of what is out of
//! step.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nic::stream::Frames;

/// All frames of a stream that comes in pieces of so many bytes, and whether it stayed in step.
fn frames(bytes: &[u8], piece: usize) -> (Vec<Vec<u8>>, bool) {
    let (mut receiver, mut frames) = (Frames::new(), vec![]);
    for piece in bytes.chunks(piece) {
        receiver.put(piece);
        loop {
            match receiver.take() {
                Ok(Some(packet)) => frames.push(packet.to_vec()),
                Ok(None) => break,
                Err(_) => return (frames, false),
            }
        }
    }
    (frames, true)
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&piece, bytes)) = bytes.split_first() else { return };
    let whole = frames(bytes, bytes.len().max(1));
    assert_eq!(whole, frames(bytes, usize::from(piece).max(1)));
    assert!(whole.0.iter().all(|frame| !frame.is_empty()));
    assert!(whole.0.iter().map(|frame| frame.len() + 4).sum::<usize>() <= bytes.len());
});
