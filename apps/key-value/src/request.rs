//! Requests and answers, a datagram each.
//!
//! A request is four bytes that its answer has too, a letter, the length of a key, the key, and a value: `g` asks for a
//! value, `s` sets one, `e` ends the program. An answer is the four bytes, a letter and perhaps a value: `v` it is
//! this, `n` there is none, `o` it is set, `f` there is no room, `x` this is no request.

use crate::table::{LONGEST_KEY, LONGEST_VALUE, Table};

/// Bytes of the longest answer.
pub const LONGEST_ANSWER: usize = MARK + 1 + LONGEST_VALUE;
/// Bytes that a request and its answer have in common.
const MARK: usize = 4;

/// Answers a request; says how long the answer is, or `None` if there is none to be given.
pub fn serve(request: &[u8], answer: &mut [u8; LONGEST_ANSWER], table: &mut Table, ended: &mut bool) -> Option<usize> {
    let (mark, rest) = request.split_at_checked(MARK)?;
    answer[..MARK].copy_from_slice(mark);
    let (letter, value) = match parse(rest) {
        Some((b'g', key, [])) => table.get(key).map_or((b'n', &[][..]), |value| (b'v', value)),
        Some((b's', key, value)) if value.len() <= LONGEST_VALUE => {
            (if table.set(key, value) { b'o' } else { b'f' }, &[][..])
        }
        None if rest == b"e" => {
            *ended = true;
            (b'o', &[][..])
        }
        _ => (b'x', &[][..]),
    };
    answer[MARK] = letter;
    answer[MARK + 1..][..value.len()].copy_from_slice(value);
    Some(MARK + 1 + value.len())
}

/// The letter, the key and the value.
fn parse(rest: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[letter, length], rest) = rest.split_first_chunk()?;
    let (key, value) = rest.split_at_checked(length.into())?;
    (1..=LONGEST_KEY).contains(&key.len()).then_some((letter, key, value))
}
