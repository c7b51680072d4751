//! Strings and addresses as strace(1) prints them.

use core::fmt::{Display, Formatter, Result, Write};

/// Bytes in quotes, with C's escapes.
pub struct Quoted<'a>(pub &'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
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
pub struct Address(pub u64);

impl Display for Address {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        if self.0 == 0 { out.write_str("NULL") } else { write!(out, "{:#x}", self.0) }
    }
}

/// A number in hexadecimal; zero without `0x`, as C prints it.
pub struct Hexadecimal(pub u64);

impl Display for Hexadecimal {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        if self.0 == 0 { out.write_str("0") } else { write!(out, "{:#x}", self.0) }
    }
}
