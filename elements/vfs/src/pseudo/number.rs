//! Numbers in texts and names. The formatting of the language can do all this and is many times larger.

use alloc::vec::Vec;

/// Most characters that are written.
const LONGEST: usize = 24;

/// Appends `number` in decimal, with spaces before it up to `width` characters, of which there are at most 24.
pub fn append_number(out: &mut Vec<u8>, number: u64, width: usize) {
    let mut text = [b' '; LONGEST];
    let mut rest = number;
    let mut start = LONGEST;
    for digit in text.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
        start -= 1;
        if rest == 0 {
            break;
        }
    }
    let start = start.min(LONGEST - width.min(LONGEST));
    out.extend_from_slice(text.get(start..).unwrap_or_default());
}

/// The name of that number.
pub(super) fn name(number: u32) -> Vec<u8> {
    let mut name = Vec::new();
    append_number(&mut name, number.into(), 0);
    name
}

/// The number that has this name: digits alone, and no zeros before it.
pub(super) fn number(text: &[u8]) -> Option<u32> {
    let add = |number: u32, &digit| number.wrapping_mul(10).wrapping_add(u32::from(digit)).wrapping_sub(48);
    let number = text.iter().fold(0, add);
    // What is no such name makes some number, which has another name.
    (name(number) == text).then_some(number)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn numbers_are_written_as_elsewhere() {
        for number in [0, 1, 9, 10, 99, 100, 1234, u64::from(u32::MAX), u64::MAX] {
            for width in [0, 1, 3, 24] {
                let mut out = b"before".to_vec();
                append_number(&mut out, number, width);
                assert_eq!(out, std::format!("before{number:width$}").into_bytes());
            }
        }
    }

    #[test]
    fn only_plain_numbers_are_names() {
        for known in [0, 7, 10, 1_000_000, u32::MAX] {
            assert_eq!(number(&name(known)), Some(known));
        }
        for text in ["", "+1", "-1", "01", "00", "x", "1x", "1:", "4294967296", "99999999999999999999", "self"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
    }
}
