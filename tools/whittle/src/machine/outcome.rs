//! How a machine ended.

use machine::ExitReason;
use rewrite::Object;

use crate::failure::{CANNOT_EXECUTE, NOT_FOUND, OURS};

/// The last word about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The command's exit status.
    pub status: u8,
    /// `name=value` figures that the kernel sent, in order.
    pub figures: Vec<(String, u64)>,
    /// Sites of system calls that the run has proven, if the kernel said all of them.
    pub sites: Option<Vec<Object>>,
}

/// What the kernel's exit frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End(pub ExitReason);

impl End {
    /// Reads an exit frame's argument and number; anything unknown is a failure.
    #[must_use]
    pub fn from_frame(argument: u8, number: i32) -> Self {
        Self(match (argument, u8::try_from(number)) {
            (0, _) => ExitReason::Exited(number as u8),
            (1, Ok(signal @ 1..=64)) => ExitReason::Killed(signal),
            (3, _) => ExitReason::CannotExecute,
            (4, _) => ExitReason::NotFound,
            _ => ExitReason::Failed,
        })
    }

    /// The command's exit status.
    #[must_use]
    pub const fn status(self) -> u8 {
        match self.0 {
            ExitReason::Exited(status) => status,
            ExitReason::Killed(signal) => 128 + signal,
            ExitReason::Failed => OURS,
            ExitReason::CannotExecute => CANNOT_EXECUTE,
            ExitReason::NotFound => NOT_FOUND,
        }
    }

    /// What to say if the kernel gave no reason of its own.
    #[must_use]
    pub const fn sentence(self) -> Option<&'static str> {
        match self.0 {
            ExitReason::Exited(_) | ExitReason::Killed(_) => None,
            ExitReason::Failed => Some("the kernel gave up without saying why"),
            ExitReason::CannotExecute => Some("the program cannot be executed"),
            ExitReason::NotFound => Some("the program was not found inside the machine"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_frames_become_statuses() {
        let frames = [(0, 0), (0, 7), (0, 255), (1, 11), (1, 6), (2, 0), (3, 0), (4, 0), (1, 0), (1, 99), (9, 9)];
        let statuses = frames.map(|(argument, number)| End::from_frame(argument, number).status());
        assert_eq!(statuses, [0, 7, 255, 139, 134, 125, 126, 127, 125, 125, 125]);
    }
}
