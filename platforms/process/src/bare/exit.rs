//! The end of an ordinary process.

use machine::ExitReason;

use crate::{host::process, power::status};

/// Provider of the contract `power`.
#[derive(Debug, Default)]
pub struct Exit;

impl Exit {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Power for Exit {
    fn exit(&self, reason: ExitReason) -> ! {
        process::exit(status(reason))
    }
}
