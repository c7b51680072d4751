//! The end of the process.

use machine::ExitReason;
use wire::guest::exit_header;

use crate::{control, host::process, last};

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
    last::claim();
    let end = exit_header(reason);
    control::send(end, &[]);
    process::exit(status(reason))
}

/// The status a shell shows.
pub const fn status(reason: ExitReason) -> u8 {
    match reason {
        ExitReason::Exited(status) => status,
        ExitReason::Killed(signal) => signal.saturating_add(128),
        ExitReason::Failed => 125,
        ExitReason::CannotExecute => 126,
        ExitReason::NotFound => 127,
    }
}
