//! Text for people and for `/proc`, put together without `core::fmt`, whose calls are three times as large as these.

use alloc::{string::String, vec::Vec};

/// Adds `template` with `numbers` in the places of its marks: `#` decimal, `@` decimal in eight columns, `^`
/// hexadecimal, `%` hexadecimal of two digits at least, `$` of eight, `&` of sixteen.
#[inline(never)]
pub fn fill(out: &mut Vec<u8>, template: &str, numbers: &[u64]) {
    let mut numbers = numbers.iter();
    for &byte in template.as_bytes() {
        let (radix, width, blank) = match byte {
            b'#' => (10, 0, b' '),
            b'@' => (10, 8, b' '),
            b'^' => (16, 0, b'0'),
            b'%' => (16, 2, b'0'),
            b'$' => (16, 8, b'0'),
            b'&' => (16, 16, b'0'),
            _ => {
                out.push(byte);
                continue;
            }
        };
        number(out, numbers.next().copied().unwrap_or(0), radix, width, blank);
    }
}

/// Bytes of the longest number: 2^64 - 1 in decimal.
const LONGEST: usize = 20;

/// Adds a number, `blank` before it up to `width` bytes.
fn number(out: &mut Vec<u8>, mut value: u64, radix: u64, width: usize, blank: u8) {
    let mut bytes = [blank; LONGEST];
    let mut start = LONGEST;
    loop {
        start -= 1;
        bytes[start] = b"0123456789abcdef"[(value % radix) as usize];
        value /= radix;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&bytes[start.min(LONGEST - width)..]);
}

/// Adds spaces until `out` has `length` bytes.
pub fn pad(out: &mut Vec<u8>, length: usize) {
    if out.len() < length {
        out.resize(length, b' ');
    }
}

/// Bytes that should be text.
#[must_use]
#[inline(never)]
pub fn lossy(bytes: &[u8]) -> String {
    // As `String::from_utf8_lossy`, which brings a second decoder along.
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let error = match core::str::from_utf8(rest) {
            Ok(last) => {
                text.push_str(last);
                return text;
            }
            Err(error) => error,
        };
        let (valid, broken) = rest.split_at(error.valid_up_to());
        text.push_str(core::str::from_utf8(valid).unwrap_or_default());
        text.push(char::REPLACEMENT_CHARACTER);
        rest = error.error_len().map_or(&[], |length| &broken[length..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_the_text_that_the_library_makes_of_them() {
        let pieces: [&[u8]; 9] = [
            b"",
            b"a",
            "\u{e9}".as_bytes(),
            b"\xff",
            b"\xe2\x82",
            b"\xf0\x9f\x98\x80",
            b"\xf0\x9f",
            b"\xc0\xaf",
            b"\xed\xa0",
        ];
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let bytes = [first, second, third].concat();
                    assert_eq!(lossy(&bytes), String::from_utf8_lossy(&bytes), "{bytes:?}");
                }
            }
        }
    }
}
