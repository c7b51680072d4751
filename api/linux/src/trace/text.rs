//! Strings as strace(1) prints them.

use core::fmt::{self, Display, Write};

/// Bytes in quotes, with C's escapes.
pub struct Quoted<'a>(pub &'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_char('"')?;
        for (index, &byte) in self.0.iter().enumerate() {
            match byte {
                b'"' | b'\\' => write!(out, "\\{}", byte as char)?,
                b'\n' => out.write_str("\\n")?,
                b'\t' => out.write_str("\\t")?,
                b'\r' => out.write_str("\\r")?,
                0x0b => out.write_str("\\v")?,
                0x0c => out.write_str("\\f")?,
                b' '..=b'~' => out.write_char(byte as char)?,
                // All three digits where another digit follows.
                _ if self.0.get(index + 1).is_some_and(u8::is_ascii_digit) => write!(out, "\\{byte:03o}")?,
                _ => write!(out, "\\{byte:o}")?,
            }
        }
        out.write_char('"')
    }
}

/// An address, NULL by name.
pub struct Address(pub usize);

impl Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { out.write_str("NULL") } else { write!(out, "{:#x}", self.0) }
    }
}

/// Strings in brackets.
pub struct List<'a>(pub &'a [alloc::vec::Vec<u8>]);

impl Display for List<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_char('[')?;
        for (index, string) in self.0.iter().enumerate() {
            if index > 0 {
                out.write_str(", ")?;
            }
            write!(out, "{}", Quoted(string))?;
        }
        out.write_char(']')
    }
}
