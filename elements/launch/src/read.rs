//! Reading a launch record in place.

use crate::Key;

/// A launch record in the archive's bytes. Holds no copy; look-ups are linear (a record has a few dozen fields).
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    bytes: &'a [u8],
}

/// One field. Values are bytes: arguments need not be UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// What stands before the first `=`.
    pub key: &'a [u8],
    /// What stands behind it.
    pub value: &'a [u8],
}

impl<'a> Launch<'a> {
    /// A view of a record's bytes. Never fails: a field without `=` is skipped when it is met.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// All fields in order.
    pub fn fields(self) -> impl Iterator<Item = Field<'a>> {
        self.bytes.split(|&byte| byte == 0).filter_map(|field| {
            let equals = field.iter().position(|&byte| byte == b'=')?;
            Some(Field { key: &field[..equals], value: &field[equals + 1..] })
        })
    }

    /// All values of a key, in order.
    pub fn all(self, key: Key) -> impl Iterator<Item = &'a [u8]> {
        self.fields().filter(move |field| field.key == key.text().as_bytes()).map(|field| field.value)
    }

    /// The first value of a key.
    #[must_use]
    pub fn first(self, key: Key) -> Option<&'a [u8]> {
        self.all(key).next()
    }

    /// The first value of a key as text.
    #[must_use]
    pub fn text(self, key: Key) -> Option<&'a str> {
        core::str::from_utf8(self.first(key)?).ok()
    }

    /// The first value of a key as a decimal number.
    #[must_use]
    pub fn number(self, key: Key) -> Option<u64> {
        self.text(key)?.parse().ok()
    }

    /// Whether the key's first value is `1`.
    #[must_use]
    pub fn flag(self, key: Key) -> bool {
        self.first(key) == Some(b"1")
    }

    /// The first value of a key as `N` bytes in hexadecimal.
    #[must_use]
    pub fn hexadecimal<const N: usize>(self, key: Key) -> Option<[u8; N]> {
        let text = self.first(key)?;
        if text.len() != 2 * N {
            return None;
        }
        let mut bytes = [0; N];
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let digit = |index: usize| (pair[index] as char).to_digit(16);
            *byte = (digit(0)? * 16 + digit(1)?) as u8;
        }
        Some(bytes)
    }

    /// The first value of a key as `N` decimal numbers separated by commas.
    #[must_use]
    pub fn numbers<const N: usize>(self, key: Key) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        let mut parts = self.text(key)?.split(',');
        for number in &mut numbers {
            *number = parts.next()?.parse().ok()?;
        }
        parts.next().is_none().then_some(numbers)
    }
}
