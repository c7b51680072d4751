//! Copies of a few bytes without a call, which would cost more than they do.

/// Copies what there is room for; how much that was.
#[inline]
pub fn copy(to: &mut [u8], from: &[u8]) -> usize {
    let count = to.len().min(from.len());
    let (Some(to), Some(from)) = (to.get_mut(..count), from.get(..count)) else { return 0 };
    match count {
        0 => {}
        1 => ends::<1>(to, from),
        2..=3 => ends::<2>(to, from),
        4..=7 => ends::<4>(to, from),
        8..=16 => ends::<8>(to, from),
        _ => to.copy_from_slice(from),
    }
    count
}

/// Copies the first and the last `N` bytes, which may be the same ones in part.
#[inline]
pub fn ends<const N: usize>(to: &mut [u8], from: &[u8]) {
    let (first, last) = (from.first_chunk::<N>().copied(), from.last_chunk::<N>().copied());
    // Chunks, and no ranges: those are calls in an image that is built for few bytes.
    if let (Some(bytes), Some(place)) = (first, to.first_chunk_mut()) {
        *place = bytes;
    }
    if let (Some(bytes), Some(place)) = (last, to.last_chunk_mut()) {
        *place = bytes;
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{vec, vec::Vec};

    use super::*;

    #[test]
    fn short_copies_are_whole_and_no_longer() {
        let from: Vec<u8> = (1..40).collect();
        for count in 0..from.len() {
            let mut to = vec![0; 41];
            assert_eq!(copy(&mut to, &from[..count]), count);
            assert_eq!((&to[..count], &to[count..]), (&from[..count], &vec![0; 41 - count][..]));
            assert_eq!(copy(&mut to[..count], &from), count);
        }
    }
}
