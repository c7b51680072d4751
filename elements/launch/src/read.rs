//! Reading a launch record in place.

use crate::Key;

/// A launch record in the archive's bytes: no copy, but an index of its keys, made in one pass. So a look-up costs no
/// scan, however many a boot makes. The pass ends at the first empty field: see [`Key::is_late`].
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    bytes: &'a [u8],
    index: [Span; Key::ALL.len()],
}

/// Where the fields of one key lie.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// Offset of the first one's key.
    start: u32,
    /// Offset behind the first one's value; 0 if there is none.
    first_end: u32,
    /// Offset behind the last one's value.
    end: u32,
}

impl Span {
    const NONE: Self = Self { start: 0, first_end: 0, end: 0 };
}

impl<'a> Launch<'a> {
    /// A record without fields.
    pub const EMPTY: Self = Self { bytes: &[], index: [Span::NONE; Key::ALL.len()] };

    /// Reads a record's bytes. Never fails: a field without `=`, or with a key nobody knows, is skipped. A record of
    /// 4 GB, which nobody writes, counts as none.
    #[must_use]
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut launch = Self::EMPTY;
        if u32::try_from(bytes.len()).is_err() {
            return launch;
        }
        launch.bytes = bytes;
        let (mut start, mut guess) = (0, 0);
        while start < bytes.len() {
            let end = field_end(bytes, start);
            if end == start {
                launch.leave_rest(end);
                break;
            }
            if let Some(key) = find(&bytes[start..end], guess) {
                let span = &mut launch.index[key];
                let (start, end) = (start as u32, end as u32);
                if span.first_end == 0 {
                    *span = Span { start, first_end: end, end };
                }
                span.end = end;
                guess = key;
            }
            start = end + 1;
        }
        launch
    }

    /// Whoever asks for a late key looks through all that is behind here.
    fn leave_rest(&mut self, rest: usize) {
        for &key in Key::ALL.iter().filter(|key| key.is_late()) {
            let span = &mut self.index[key as usize];
            let start = if span.first_end == 0 { rest as u32 } else { span.start };
            *span = Span { start, end: self.bytes.len() as u32, ..*span };
        }
    }

    /// All values of a key, in order.
    pub fn all(&self, key: Key) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let Span { start, end, .. } = self.index[key as usize];
        let (mut start, end) = (start as usize, end as usize);
        let bytes = self.bytes;
        let fields = core::iter::from_fn(move || {
            let field = bytes.get(start..end)?;
            let field = &field[..field_end(field, 0)];
            start += field.len() + 1;
            Some(field)
        });
        fields.filter_map(move |field| value_of(field, key as usize))
    }

    /// The first value of a key that is not late: most are asked for that are not there, and that must cost little.
    #[must_use]
    pub fn first(&self, key: Key) -> Option<&'a [u8]> {
        debug_assert!(!key.is_late(), "late fields are for `all`");
        let Span { start, first_end, .. } = self.index[key as usize];
        (first_end != 0).then(|| &self.bytes[start as usize + key.text().len() + 1..first_end as usize])
    }

    /// Whether the record has no field at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.iter().all(|span| span.end == 0)
    }

    /// The first value of a key as text.
    #[must_use]
    pub fn text(&self, key: Key) -> Option<&'a str> {
        core::str::from_utf8(self.first(key)?).ok()
    }

    /// The first value of a key as a decimal number.
    #[must_use]
    pub fn number(&self, key: Key) -> Option<u64> {
        decimal(self.first(key)?)
    }

    /// Whether the key's first value is `1`.
    #[must_use]
    pub fn flag(&self, key: Key) -> bool {
        self.first(key) == Some(b"1")
    }

    /// The first value of a key as `N` bytes, a multiple of 4, in hexadecimal.
    #[must_use]
    pub fn hexadecimal<const N: usize>(&self, key: Key) -> Option<[u8; N]> {
        const { assert!(N.is_multiple_of(4)) };
        let text = self.first(key)?;
        if text.len() != 2 * N {
            return None;
        }
        let mut bytes = [0; N];
        for (part, digits) in bytes.as_chunks_mut().0.iter_mut().zip(text.as_chunks().0) {
            *part = archive::eight_digits(*digits)?.to_be_bytes();
        }
        Some(bytes)
    }

    /// The first value of a key as `N` decimal numbers separated by commas.
    #[must_use]
    pub fn numbers<const N: usize>(&self, key: Key) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        let mut parts = self.first(key)?.split(|&byte| byte == b',');
        for number in &mut numbers {
            *number = decimal(parts.next()?)?;
        }
        parts.next().is_none().then_some(numbers)
    }
}

/// A decimal number: digits and nothing else.
fn decimal(text: &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        number = number.checked_mul(10)?.checked_add(u64::from(digit)).filter(|_| digit < 10)?;
    }
    if text.is_empty() { None } else { Some(number) }
}

/// Where the field that begins at `start` ends: at its NUL, or the record's end.
fn field_end(bytes: &[u8], start: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES << 7;
    // A mark in the top bit of each byte that is zero; those above the lowest may be wrong.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & TOPS;
    let mut at = start;
    for bytes in bytes.get(start..).unwrap_or_default().as_chunks().0 {
        let both = u128::from_le_bytes(*bytes);
        let (low, high) = (both as u64, (both >> 64) as u64);
        // Most bytes are letters; those that are none of ASCII look like zeros here.
        if (low.wrapping_sub(ONES) | high.wrapping_sub(ONES)) & TOPS != 0 {
            if zeros(low) != 0 {
                return at + zeros(low).trailing_zeros() as usize / 8;
            }
            if zeros(high) != 0 {
                return at + 8 + zeros(high).trailing_zeros() as usize / 8;
            }
        }
        at += 16;
    }
    bytes.iter().skip(at).position(|&byte| byte == 0).map_or(bytes.len(), |distance| at + distance)
}

/// The key of a field, by its place in the table. Writers follow the table more or less, so the search begins at a
/// guess, the key of the field before.
fn find(field: &[u8], guess: usize) -> Option<usize> {
    (guess..Key::ALL.len()).chain(0..guess).find(|&key| value_of(field, key).is_some())
}

/// The value of a field if its key is that one.
#[inline(always)]
fn value_of(field: &[u8], key: usize) -> Option<&[u8]> {
    let text = Key::TEXTS[key].as_bytes();
    // The length tells most keys apart without a look at their letters.
    if field.get(text.len()) != Some(&b'=') {
        return None;
    }
    let begins = match field.first_chunk() {
        Some(first) => (u64::from_le_bytes(*first) ^ STARTS[key]) << UNUSED[key] == 0,
        None => field.starts_with(&text[..text.len().min(8)]),
    };
    // Most keys are no longer. The others letter by letter: the rest is too short to call a function about.
    let is_it = begins && text.iter().zip(field).skip(8).all(|(one, other)| one == other);
    is_it.then(|| &field[text.len() + 1..])
}

/// The first eight letters of each key at once, and how many bits of that are none.
const STARTS: [u64; Key::ALL.len()] = const {
    let mut starts = [0; Key::ALL.len()];
    let mut key = 0;
    while key < starts.len() {
        let text = Key::TEXTS[key].as_bytes();
        let mut index = 0;
        while index < 8 && index < text.len() {
            starts[key] |= (text[index] as u64) << (8 * index);
            index += 1;
        }
        key += 1;
    }
    starts
};
const UNUSED: [u32; Key::ALL.len()] = const {
    let mut unused = [0; Key::ALL.len()];
    let mut key = 0;
    while key < unused.len() {
        unused[key] = STARTS[key].leading_zeros() & !7;
        key += 1;
    }
    unused
};

#[cfg(test)]
mod tests {
    use super::field_end;

    #[test]
    fn a_field_ends_at_its_first_zero_wherever_it_lies() {
        // Letters, what looks like a zero while it is none, and what lies above a zero.
        for letter in [1, b'a', 0x7f, 0x80, 0x81, 0xff] {
            for length in 0..50 {
                for zeros in [[length, length], [length / 2, length], [length / 2, length / 2 + 1]] {
                    let mut bytes = [letter; 51];
                    zeros.iter().for_each(|&zero| bytes[zero] = 0);
                    let bytes = &bytes[..length];
                    for start in 0..=length {
                        let end = bytes[start..].iter().position(|&byte| byte == 0).map_or(length, |end| start + end);
                        assert_eq!(field_end(bytes, start), end, "{bytes:?} from {start}");
                    }
                }
            }
        }
    }
}
