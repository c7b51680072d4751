//! Writing texts of `/proc` and `/sys`.

use alloc::vec::Vec;
use core::fmt::{Arguments, Result, Write};

/// Appends formatted text to `out`.
pub fn append(out: &mut Vec<u8>, text: Arguments<'_>) {
    // Appending to a vector does not fail, and numbers and strings are all that is formatted here.
    let _ = Appender(out).write_fmt(text);
}

/// Appends what others format.
pub struct Appender<'a>(pub &'a mut Vec<u8>);

impl Write for Appender<'_> {
    fn write_str(&mut self, text: &str) -> Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
