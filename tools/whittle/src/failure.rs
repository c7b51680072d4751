//! What goes wrong on our side: one sentence and an exit status.

use std::fmt::Display;

/// Exit status of a failure of whittle itself.
pub const OURS: u8 = 125;
/// Exit status when the program is there but cannot be executed.
pub const CANNOT_EXECUTE: u8 = 126;
/// Exit status when there is no such program.
pub const NOT_FOUND: u8 = 127;

/// A failure of ours. Shown on standard error behind `whittle: `; never on standard output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct Failure {
    /// The command's exit status.
    pub status: u8,
    /// What is wrong and what to do about it, in one sentence without a full stop.
    pub sentence: String,
}

impl Failure {
    /// A failure of whittle itself (status 125).
    #[must_use]
    pub fn ours(sentence: impl Into<String>) -> Self {
        Self { status: OURS, sentence: sentence.into() }
    }

    /// The program is there but cannot be executed (status 126).
    #[must_use]
    pub fn cannot_execute(sentence: impl Into<String>) -> Self {
        Self { status: CANNOT_EXECUTE, sentence: sentence.into() }
    }

    /// There is no such program (status 127).
    #[must_use]
    pub fn not_found(sentence: impl Into<String>) -> Self {
        Self { status: NOT_FOUND, sentence: sentence.into() }
    }
}

/// Turns an error into a failure of ours that says what was being done.
pub trait Doing<T> {
    /// `what` continues the words "cannot", as in "read /etc/hosts".
    fn doing(self, what: impl Display) -> Result<T, Failure>;
}

impl<T, E: Display> Doing<T> for Result<T, E> {
    fn doing(self, what: impl Display) -> Result<T, Failure> {
        self.map_err(|error| Failure::ours(format!("cannot {what}: {}", plain(&error))))
    }
}

/// An error's text without Rust's ` (os error N)`, and with a small first letter, to stand inside a sentence.
#[must_use]
pub fn plain(error: &impl Display) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_host_read_as_part_of_a_sentence() {
        let error = std::io::Error::from_raw_os_error(2);
        assert_eq!(plain(&error), "no such file or directory");
        assert_eq!(
            Err::<(), _>(error).doing("read /x").unwrap_err().sentence,
            "cannot read /x: no such file or directory"
        );
        assert_eq!(plain(&"QEMU died"), "QEMU died");
    }
}
