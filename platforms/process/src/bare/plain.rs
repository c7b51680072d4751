//! The host's descriptors 0 to 2, read and written as they are. Calls wait as the host's do.

use machine::{ConsoleError, Stream};

use crate::host::{HostError, files};

/// Provider of the contract `console`.
#[derive(Debug, Default)]
pub struct Plain;

impl Plain {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

const fn refusal(HostError(number): HostError) -> ConsoleError {
    match HostError(number) {
        HostError::BROKEN_PIPE => ConsoleError::Broken,
        HostError::AGAIN | HostError::INTERRUPTED => ConsoleError::WouldBlock,
        _ => ConsoleError::Host(number),
    }
}

impl machine::Console for Plain {
    fn read(&self, buffer: &mut [u8]) -> Result<usize, ConsoleError> {
        files::read(Stream::Input as i32, buffer).map_err(refusal)
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        files::write(stream as i32, bytes).map_err(refusal)
    }

    fn is_terminal(&self, stream: Stream) -> bool {
        files::attributes(stream as i32).is_ok()
    }
}
