//! Frames on the command's socket: output and error in one order, and nothing to read. Started by hand, it is silent.

use machine::{ConsoleError, Stream};
use wire::{FromGuest, Header, MAX_PAYLOAD};

use crate::devices::control;

/// Provider of the contract `console`.
#[derive(Debug, Default)]
pub struct PortConsole;

impl PortConsole {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Console for PortConsole {
    fn read(&self, _: &mut [u8]) -> Result<usize, ConsoleError> {
        Ok(0)
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        let bytes = &bytes[..bytes.len().min(MAX_PAYLOAD)];
        let kind = FromGuest::Output as u8;
        control::send(Header { kind, argument: stream as u8, length: bytes.len() as u32, number: 0 }, bytes);
        Ok(bytes.len())
    }
}
