//! The end of the machine.

/// Why the machine stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The application ended with this status (0 to 255).
    Exited(u8),
    /// A signal ended the application (1 to 64).
    Killed(u8),
    /// The kernel itself refuses to go on (a failed start, an audit that found something): whittle's own error,
    /// already explained by a [`machine::Record::Error`].
    Failed,
    /// The application cannot be executed, already explained by a [`machine::Record::Error`]
    /// (the command ends with 126).
    CannotExecute,
    /// The application's file is not there, already explained by a [`machine::Record::Error`]
    /// (the command ends with 127).
    NotFound,
}

declaration::contract! {
    power = "telling how it ended, and stopping";

    /// Switching the machine off.
    pub trait Power: Sync {
        /// Flushes the console, reports `reason` to whoever started the machine, and stops it.
        fn exit(&self, reason: ExitReason) -> !;
    }
}
