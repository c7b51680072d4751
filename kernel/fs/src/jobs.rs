//! What terminals, the console and pseudo-terminals, ask whoever knows processes, where there are several.

use sync::Once;
use vfs::{Control, FileError, Owner};

/// The running process and terminals: "Job control" of POSIX.
pub trait Jobs: Sync {
    /// Whether it may read from the terminal now. What is refused by [`FileError::WouldBlock`] is tried again later.
    fn may_read(&self, terminal: &Control) -> Result<(), FileError>;
    /// The same for writing, while the terminal stops those who write in the background (TOSTOP).
    fn may_write(&self, terminal: &Control) -> Result<(), FileError>;
    /// Whether another group than its own is in the foreground.
    fn is_in_background(&self, terminal: &Control) -> bool;
    /// Whether the terminal is that of its session.
    fn has_terminal(&self, terminal: &Control) -> bool;
    /// Its session.
    fn session(&self) -> u32;
    /// Whose files it makes.
    fn owner(&self) -> Owner;
    /// Sends the group in the foreground a signal.
    fn signal(&self, terminal: &Control, signal: Signal);
    /// Nobody drives the terminal any more: who has it is told, and has none.
    fn hang_up(&self, terminal: &Control);
}

/// What a terminal sends the group in its foreground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT.
    Interrupt,
    /// SIGQUIT.
    Quit,
    /// SIGTSTP.
    Suspend,
    /// SIGWINCH.
    WindowChange,
}

static JOBS: Once<&'static dyn Jobs> = Once::new();

/// Has `jobs` be asked from now on.
pub fn provide(jobs: &'static dyn Jobs) {
    JOBS.call_once(|| jobs);
}

/// Who is asked, if somebody is.
pub(crate) fn jobs() -> Option<&'static dyn Jobs> {
    if contracts::config().processes { JOBS.get().copied() } else { None }
}
