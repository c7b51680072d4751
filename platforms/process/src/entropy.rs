//! Random bytes: the host's.

use crate::host::{HostError, process};

/// The machine's [`machine::Entropy`].
#[derive(Debug, Default)]
pub struct Entropy;

impl Entropy {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Entropy for Entropy {
    fn fill(&self, buffer: &mut [u8]) {
        let mut done = 0;
        while done < buffer.len() {
            match process::random(&mut buffer[done..]) {
                Ok(count) => done += count,
                Err(HostError::INTERRUPTED) => {}
                Err(HostError(number)) => panic!("the host gives no random bytes: error {number}"),
            }
        }
    }
}
