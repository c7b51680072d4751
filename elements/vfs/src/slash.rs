//! The last slash of a path, looked for by words: what a byte costs, each call with a path pays for each byte of it.

const ONES: u64 = u64::from_ne_bytes([1; 8]);

/// The highest bit of each byte that is a slash, and no other.
const fn marks(word: u64) -> u64 {
    const REST: u64 = ONES * 0x7f;
    let differing = word ^ (ONES * b'/' as u64);
    // A byte that is not zero carries into its own highest bit, or has it.
    !(((differing & REST) + REST) | differing | REST)
}

/// Where the last slash is.
#[inline]
pub fn last(path: &[u8]) -> Option<usize> {
    let (rest, words) = path.as_rchunks::<8>();
    for (index, word) in words.iter().enumerate().rev() {
        let marks = marks(u64::from_le_bytes(*word));
        if marks != 0 {
            return Some(rest.len() + 8 * index + marks.ilog2() as usize / 8);
        }
    }
    rest.iter().rposition(|&byte| byte == b'/')
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;

    use super::*;

    #[test]
    fn the_last_of_several_is_found_wherever_it_is() {
        // Bytes that differ from a slash by one bit, or by all.
        for other in [b'/' ^ 1, b'/' ^ 0x80, !b'/', 0, 0xff, b'a'] {
            for length in 0..20 {
                let mut path = vec![other; length];
                assert_eq!(last(&path), None);
                for at in 0..length {
                    path[at] = b'/';
                    assert_eq!(last(&path), Some(at));
                }
            }
        }
    }
}
