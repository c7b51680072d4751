//! Words that come from outside: bytes that are UTF-8 most of the time.

use alloc_crate::{
    borrow::{Cow, ToOwned},
    string::String,
};
use core::fmt::{self, Write};

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::OsString;

/// A word that comes from outside.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct OsStr {
    bytes: [u8],
}

impl OsStr {
    /// Of text.
    pub fn new<S: AsRef<Self> + ?Sized>(text: &S) -> &Self {
        text.as_ref()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> &Self {
        match Self::ref_from_bytes(bytes) {
            Ok(text) => text,
            Err(_) => unreachable!("any bytes are one"),
        }
    }

    /// The text, if it is UTF-8.
    #[must_use]
    pub fn to_str(&self) -> Option<&str> {
        str::from_utf8(&self.bytes).ok()
    }

    /// The text, with U+FFFD for what is not UTF-8.
    #[must_use]
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// An owned copy.
    #[must_use]
    pub fn to_os_string(&self) -> OsString {
        OsString::from_bytes(self.bytes.to_vec())
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Bytes in it.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_encoded_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// To be printed, with U+FFFD for what is not UTF-8.
    #[must_use]
    pub const fn display(&self) -> Display<'_> {
        Display { text: self }
    }

    /// Whether both are the same but for ASCII's case.
    pub fn eq_ignore_ascii_case<S: AsRef<Self>>(&self, other: S) -> bool {
        self.bytes.eq_ignore_ascii_case(&other.as_ref().bytes)
    }
}

impl fmt::Debug for OsStr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_char('"')?;
        for chunk in self.bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                // As in the text between double quotes, where a single one needs no escape.
                match character {
                    '\'' => formatter.write_char(character)?,
                    _ => write!(formatter, "{}", character.escape_debug())?,
                }
            }
            for byte in chunk.invalid() {
                write!(formatter, "\\x{byte:02X}")?;
            }
        }
        formatter.write_char('"')
    }
}

/// See [`OsStr::display`].
pub struct Display<'a> {
    text: &'a OsStr,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.text.to_str() {
            return formatter.pad(text);
        }
        for chunk in self.text.bytes.utf8_chunks() {
            formatter.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                formatter.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Display<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(formatter)
    }
}

impl ToOwned for OsStr {
    type Owned = OsString;

    fn to_owned(&self) -> OsString {
        self.to_os_string()
    }
}

impl AsRef<Self> for OsStr {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl AsRef<OsStr> for str {
    fn as_ref(&self) -> &OsStr {
        OsStr::from_bytes(self.as_bytes())
    }
}

impl AsRef<OsStr> for String {
    fn as_ref(&self) -> &OsStr {
        self.as_str().as_ref()
    }
}

impl PartialEq<str> for OsStr {
    fn eq(&self, other: &str) -> bool {
        self.bytes == *other.as_bytes()
    }
}

impl PartialEq<OsStr> for str {
    fn eq(&self, other: &OsStr) -> bool {
        other == self
    }
}
