//! The end of the process.

use machine::ExitReason;
use wire::FromGuest;

use crate::{control, host::process};

/// The machine's [`machine::Power`].
#[derive(Debug, Default)]
pub struct Power;

impl Power {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Power for Power {
    fn exit(&self, reason: ExitReason) -> ! {
        exit(reason)
    }
}

/// Tells the command, and ends with the status a shell would show, for those who start the image by hand.
pub fn exit(reason: ExitReason) -> ! {
    let (argument, number, status) = match reason {
        ExitReason::Exited(status) => (0, status, status),
        ExitReason::Killed(signal) => (1, signal, signal.saturating_add(128)),
        ExitReason::Failed => (2, 0, 125),
        ExitReason::CannotExecute => (3, 0, 126),
        ExitReason::NotFound => (4, 0, 127),
    };
    control::send(FromGuest::Exit, argument, i32::from(number), &[]);
    process::exit(status)
}
