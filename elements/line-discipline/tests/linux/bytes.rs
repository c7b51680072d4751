//! Bytes that are shown short.

use std::fmt;

#[derive(Clone, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"")?;
        for run in self.0.chunk_by(|one, next| one == next) {
            let byte = run[..1].escape_ascii();
            match run.len() {
                0..6 => write!(formatter, "{}", run.escape_ascii())?,
                times => write!(formatter, "<{byte} {times} times>")?,
            }
        }
        write!(formatter, "\"")
    }
}
