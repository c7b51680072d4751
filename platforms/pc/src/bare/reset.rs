//! The end: a frame on port 0xE9 for the command, then a reset, which monitors take for the end.

use machine::ExitReason;
use wire::guest::exit_header;

use super::port;
use crate::power;

/// Provider of the contract `power`.
#[derive(Debug, Default)]
pub struct Reset;

impl Reset {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Power for Reset {
    fn exit(&self, reason: ExitReason) -> ! {
        port::send(exit_header(reason), &[]);
        power::stop()
    }
}
