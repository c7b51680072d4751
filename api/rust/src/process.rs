//! The end of the application, as `std::process` has it.

use core::fmt::Debug;

use machine::ExitReason;

/// The status of an application that panicked, as the standard library's.
const PANICKED: u8 = 101;

/// The status with which the application ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExitCode(u8);

impl ExitCode {
    /// 0.
    pub const SUCCESS: Self = Self(0);
    /// 1.
    pub const FAILURE: Self = Self(1);

    /// Ends the application with this status.
    pub fn exit_process(self) -> ! {
        exit_with(self)
    }
}

impl From<u8> for ExitCode {
    fn from(status: u8) -> Self {
        Self(status)
    }
}

/// What a main function may return.
pub trait Termination {
    /// The status it means; an error is printed first.
    fn report(self) -> ExitCode;
}

impl Termination for () {
    fn report(self) -> ExitCode {
        ExitCode::SUCCESS
    }
}

impl Termination for core::convert::Infallible {
    fn report(self) -> ExitCode {
        match self {}
    }
}

impl Termination for ExitCode {
    fn report(self) -> ExitCode {
        self
    }
}

impl<T: Termination, E: Debug> Termination for Result<T, E> {
    fn report(self) -> ExitCode {
        match self {
            Ok(value) => value.report(),
            Err(error) => {
                crate::eprintln!("Error: {error:?}");
                ExitCode::FAILURE
            }
        }
    }
}

/// Ends the application; of the status, its low eight bits count. Nothing is dropped.
pub fn exit(status: i32) -> ! {
    exit_with(ExitCode(status as u8))
}

/// Ends the application as if by SIGABRT.
pub fn abort() -> ! {
    const SIGABRT: u8 = 6;
    contracts::power::exit(ExitReason::Killed(SIGABRT))
}

/// Ends the application after a panic. What it sent may be lost: whoever panicked may hold the network's lock.
pub fn panicked() -> ! {
    crate::io::flush();
    contracts::power::exit(ExitReason::Exited(PANICKED))
}

/// The machine's one process.
#[must_use]
pub const fn id() -> u32 {
    1
}

pub(crate) fn exit_with(ExitCode(status): ExitCode) -> ! {
    crate::io::flush();
    kernel::parting::part(&mut Alone);
    contracts::power::exit(ExitReason::Exited(status))
}

/// How connections are waited for in the end: no other thread has its turn meanwhile.
struct Alone;

impl kernel::parting::Ending for Alone {
    fn stop_others(&mut self) {}

    fn wait(&mut self, _until: u64) -> bool {
        core::hint::spin_loop();
        true
    }
}
