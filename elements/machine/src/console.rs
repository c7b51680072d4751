//! The application's three standard streams, the terminal behind them, and the kernel's own channel to the person
//! who started it.

/// One of the application's standard streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stream {
    /// Standard input.
    Input = 0,
    /// Standard output.
    Output = 1,
    /// Standard error.
    Error = 2,
}

/// What can be done to a stream without waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readiness {
    /// A read would not wait (there are bytes, or the end of the file).
    pub readable: bool,
    /// A write would not wait.
    pub writable: bool,
    /// The other side is gone: writes fail, reads find the end.
    pub hangup: bool,
}

/// Why a stream operation did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsoleError {
    /// Nothing there yet, or no room yet. The platform now watches for the change and ends
    /// [`machine::Processor::idle`] when it comes.
    WouldBlock,
    /// Nobody reads this stream any more (EPIPE).
    Broken,
    /// The stream is not a terminal (ENOTTY).
    NotTerminal,
    /// The host failed; its Linux error number.
    Host(i32),
}

/// Bytes of [`TerminalAttributes`].
pub const TERMINAL_ATTRIBUTES: usize = 36;

/// The bytes of Linux's `struct termios` as the kernel ABI has it (TCGETS): four 32-bit flag words, the line
/// discipline, and nineteen control characters.
pub type TerminalAttributes = [u8; TERMINAL_ATTRIBUTES];

/// When new terminal attributes take effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SetWhen {
    /// At once (TCSETS).
    Now = 0,
    /// After output has drained (TCSETSW).
    Drain = 1,
    /// After output has drained, discarding unread input (TCSETSF).
    Flush = 2,
}

/// Size of the terminal window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowSize {
    /// Lines.
    pub rows: u16,
    /// Characters a line.
    pub columns: u16,
    /// Width in pixels, 0 if unknown.
    pub pixels_x: u16,
    /// Height in pixels, 0 if unknown.
    pub pixels_y: u16,
}

/// What the kernel tells the person who started it. Never on the application's standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Record {
    /// A line that is printed only with `--verbose`.
    Debug = 0,
    /// A record of `--trace`: not text, but bytes that the element `trace` makes lines of.
    Trace = 1,
    /// A line for people: why the program died, what is missing. Printed always.
    Error = 2,
    /// A line of a kernel panic; addresses in it are symbolised by the command. The machine ends with 125.
    Panic = 3,
    /// Figures the command asked for, as `name=value` words.
    Figures = 4,
    /// A line about what the program misses or loses, which is no reason why it ends. Not printed with `--quiet`.
    Notice = 5,
    /// Sites of system calls that the run has proven, for `--record-sites`: those of a file in each, and an empty one
    /// at the end.
    Sites = 6,
}

declaration::contract! {
    console = "input, output and errors of the application";

    /// Streams, terminal and records. No call waits: a caller that must wait calls [`machine::Processor::idle`] and
    /// asks again. A console of text needs [`Console::read`] and [`Console::write`] only: the rest has answers for one
    /// that is no terminal and has no command behind it.
    pub trait Console: Sync {
        /// Reads what standard input has, at most `buffer.len()` bytes; `Ok(0)` is the end of the file. On a terminal
        /// it takes no more than was asked for, so unread keys stay with the host's terminal.
        fn read(&self, buffer: &mut [u8]) -> Result<usize, ConsoleError>;

        /// Takes back the wish that a [`Console::read`] that would block has left behind, when the waiting was
        /// interrupted by a signal.
        fn cancel_read(&self) {}

        /// Writes to [`Stream::Output`] or [`Stream::Error`]; may take only the first part of `bytes`.
        /// Output and error appear in the order they were written.
        fn write(&self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError>;

        /// What `stream` would do now. Asking about input that is not there makes the platform watch for it.
        fn readiness(&self, stream: Stream) -> Readiness {
            Readiness { readable: stream == Stream::Input, writable: stream != Stream::Input, hangup: false }
        }

        /// Whether `stream` is a terminal.
        fn is_terminal(&self, stream: Stream) -> bool {
            let _ = stream;
            false
        }

        /// The terminal's attributes (TCGETS), of the terminal behind `stream`.
        fn attributes(&self, stream: Stream) -> Result<TerminalAttributes, ConsoleError> {
            let _ = stream;
            Err(ConsoleError::NotTerminal)
        }

        /// Sets the terminal's attributes; returns when they are in force.
        fn set_attributes(
            &self,
            stream: Stream,
            when: SetWhen,
            attributes: &TerminalAttributes,
        ) -> Result<(), ConsoleError> {
            let _ = (stream, when, attributes);
            Err(ConsoleError::NotTerminal)
        }

        /// The terminal's window size (TIOCGWINSZ).
        fn window_size(&self, stream: Stream) -> Result<WindowSize, ConsoleError> {
            let _ = stream;
            Err(ConsoleError::NotTerminal)
        }

        /// A signal number that the person who started us sent, if one waits. Its arrival marks work as pending.
        fn take_signal(&self) -> Option<u8> {
            None
        }

        /// Tells whoever started us about job control. `None`: from now on Ctrl-Z is the kernel's to answer, so SIGTSTP
        /// is handed on as other signals are. A number: this signal has stopped the first process, so the terminal is
        /// to be another job's until SIGCONT comes.
        fn job_control(&self, stopped: Option<u8>) {
            let _ = stopped;
        }

        /// Tells the person who started us one line (UTF-8, without its newline), or a trace record. Waits until there
        /// is room.
        fn record(&self, record: Record, payload: &[u8]) {
            // Traces are not text, and some lines are not asked for where there is no way to ask.
            if !matches!(record, Record::Trace | Record::Debug | Record::Sites) {
                for part in [payload, b"\n"] {
                    // Nobody is left to be told that this failed.
                    let _ = self.write(Stream::Error, part);
                }
            }
        }
    }
}
