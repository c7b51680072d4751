//! The end of the process.

use machine::{ExitReason, Record};
use wire::guest::exit_header;

use crate::{devices::control, host::HostError, per_cpu::rendezvous, watcher};

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
    rendezvous::claim();
    let end = exit_header(reason);
    control::send(end, &[]);
    watcher::end(status(reason))
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

/// The value, or the end with a sentence.
pub fn must<T>(what: &str, result: Result<T, HostError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => refused(what, error),
    }
}

/// The end, as the host refused something.
#[inline(never)]
pub fn refused(what: &str, HostError(number): HostError) -> ! {
    let mut sentence = control::Sentence::new();
    let _ = core::fmt::write(
        &mut sentence,
        format_args!("the host does not let us {what} (error {number}); use --platform pc"),
    );
    fail(sentence.text())
}

/// The end with a sentence.
pub fn fail(sentence: &str) -> ! {
    control::record(Record::Error, sentence.as_bytes());
    exit(ExitReason::Failed)
}
