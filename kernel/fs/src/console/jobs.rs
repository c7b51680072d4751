//! What the terminal asks whoever knows processes, where there are several.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use contracts::console;
use sync::Once;
use vfs::{Control, FileError, Owner};

use super::terminal;

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

/// The terminal's attributes say TOSTOP. One look at it is all that a write costs without.
static STOPS_WRITERS: AtomicBool = AtomicBool::new(false);

/// Has `jobs` be asked from now on. Whether there is a terminal.
pub fn provide_jobs(jobs: &'static dyn Jobs) -> bool {
    JOBS.call_once(|| jobs);
    let attributes = terminal::stream().map(console::attributes);
    if let Some(Ok(attributes)) = attributes {
        note(&attributes);
    }
    attributes.is_some()
}

/// Who is asked, if somebody is.
pub(crate) fn jobs() -> Option<&'static dyn Jobs> {
    if contracts::config().processes { JOBS.get().copied() } else { None }
}

/// The terminal has these attributes from now on.
pub(super) fn note(attributes: &[u8; 36]) {
    // Its local flags are the fourth word of `struct termios`.
    const LOCAL_FLAGS: usize = 12;
    const TOSTOP: u32 = 0o400;
    if contracts::config().processes {
        let flags = u32::from_ne_bytes(core::array::from_fn(|index| attributes[LOCAL_FLAGS + index]));
        STOPS_WRITERS.store(flags & TOSTOP != 0, Relaxed);
    }
}

/// Whether it has to be asked who may write.
#[inline]
pub(super) fn stops_writers() -> bool {
    contracts::config().processes && STOPS_WRITERS.load(Relaxed)
}
