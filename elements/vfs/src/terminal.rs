//! What terminals have beyond other files (tty_ioctl(2), pts(4)).

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{FileError, Sink};

/// Who has a terminal: a session, and a group of processes in it that is in the foreground. 0 is nobody.
#[derive(Debug)]
pub struct Control {
    session: AtomicU32,
    foreground: AtomicU32,
}

impl Control {
    /// The terminal of this session and group.
    #[must_use]
    pub const fn new(session: u32, foreground: u32) -> Self {
        Self { session: AtomicU32::new(session), foreground: AtomicU32::new(foreground) }
    }

    /// The session that has it.
    #[must_use]
    pub fn session(&self) -> u32 {
        self.session.load(Relaxed)
    }

    /// The group in the foreground.
    #[must_use]
    pub fn foreground(&self) -> u32 {
        self.foreground.load(Relaxed)
    }

    /// Puts another group into the foreground.
    pub fn set_foreground(&self, group: u32) {
        self.foreground.store(group, Relaxed);
    }

    /// Gives it to a session, with this group in the foreground.
    pub fn give(&self, session: u32, foreground: u32) {
        self.session.store(session, Relaxed);
        self.foreground.store(foreground, Relaxed);
    }

    /// Takes it from its session; the group that was in the foreground.
    pub fn take(&self) -> u32 {
        self.session.store(0, Relaxed);
        self.foreground.swap(0, Relaxed)
    }
}

/// What one end asks of the flow of bytes (TCXONC).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// What is written here waits (TCOOFF).
    Stop,
    /// It waits no longer (TCOON).
    Start,
    /// The other end is asked to stop (TCIOFF).
    AskToStop,
    /// The other end is asked to go on (TCION).
    AskToStart,
}

/// How a read waits that takes what comes, not lines (VMIN and VTIME of termios(3)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Nanoseconds that it waits at most.
    pub limit: u64,
    /// They begin anew with each byte, and first with the first one.
    pub between: bool,
}

/// The terminal behind a node.
pub trait Terminal {
    /// The bytes of Linux' `struct termios` (TCGETS).
    fn attributes(&self) -> Result<[u8; 36], FileError>;

    /// Sets them: at once (0), after output (1), and without unread input (2).
    fn set_attributes(&self, when: u8, attributes: &[u8; 36]) -> Result<(), FileError>;

    /// Rows, columns, width and height in pixels.
    fn window_size(&self) -> Result<[u16; 4], FileError>;

    /// Sets the same, where that is for programs to do; the group in the foreground hears of another size (SIGWINCH).
    fn set_window_size(&self, _size: [u16; 4]) -> Result<(), FileError> {
        Err(FileError::NotPermitted)
    }

    /// Who has it.
    fn control(&self) -> &Control;

    /// Drops what was not read, what was not sent, or both (TCFLSH).
    fn flush(&self, input: bool, output: bool) -> Result<(), FileError>;

    /// Stops or starts the flow of bytes (TCXONC).
    fn flow(&self, _flow: Flow) -> Result<(), FileError> {
        Ok(())
    }

    /// How long a read waits that was refused by [`FileError::WouldBlock`], if not for ever.
    fn timing(&self) -> Option<Timing> {
        None
    }

    /// Reads the bytes that are there, fewer than a read waits for.
    fn take_now(&self, _sink: &mut dyn Sink) -> usize {
        0
    }

    /// The session's leader that opens it without a terminal of its own has it from then on.
    fn is_taken_by_opening(&self) -> bool {
        false
    }

    /// The end by which a program drives a pseudo-terminal.
    fn master(&self) -> Option<&dyn Master> {
        None
    }
}

/// The end by which a program drives a pseudo-terminal (ptmx(4)).
pub trait Master {
    /// The other end is `/dev/pts/` and this number.
    fn number(&self) -> u32;

    /// Whether the other end cannot be opened yet.
    fn is_locked(&self) -> bool;

    /// Keeps the other end from being opened, or no longer (TIOCSPTLCK).
    fn lock(&self, locked: bool);

    /// Whether reads tell what happened to the other end, too.
    fn has_packets(&self) -> bool;

    /// Has each read begin with a byte that tells what happened (TIOCPKT), or not.
    fn set_packets(&self, wanted: bool);
}
