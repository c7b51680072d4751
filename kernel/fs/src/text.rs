//! Writing texts of `/proc` and `/sys`.

use alloc::vec::Vec;
use core::fmt::{Result, Write};

/// Appends what others format.
pub struct Appender<'a>(pub &'a mut Vec<u8>);

impl Write for Appender<'_> {
    fn write_str(&mut self, text: &str) -> Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
