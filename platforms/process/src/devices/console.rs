//! The program's streams: the host's descriptors 0 to 2.
//!
//! Other processes share them, so they cannot be made non-blocking. A question (`ppoll`) comes before each read and
//! write instead, and a write is kept so short that it does not wait where there was room: what POSIX calls PIPE_BUF.
//!
//! Streams that have nothing are watched by the next processor that waits for work. When the one that asked goes on
//! with another thread instead, it calls a processor that waits, or looks again after some time if all are busy.

use core::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use machine::{ConsoleError, Readiness, Record, SetWhen, Stream, TerminalAttributes, WindowSize};
use sync::Mutex;
use wire::guest::job_control_header;

use super::{control, nics, signals, sockets};
use crate::{
    clock::{self, Timer},
    host::{
        HostError,
        files::{self, POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT, Poll},
        time::ClockId,
    },
    per_cpu::smp,
};

/// Bytes that a pipe with any room takes without waiting (pipe(7)).
const PIPE_BUFFER: usize = 4096;

/// What is known of each stream.
static KINDS: [AtomicU8; 3] = [const { AtomicU8::new(UNKNOWN) }; 3];
const UNKNOWN: u8 = 0;
const REGULAR: u8 = 1;
const OTHER: u8 = 2;

/// Streams whose change ends [`wait`]: bit `stream`.
static WATCHED: AtomicU8 = AtomicU8::new(0);

/// Whether a processor's timer runs for [`look`].
static LOOKING: AtomicBool = AtomicBool::new(false);

/// Nanoseconds between two looks while all processors are busy.
const LOOK_EVERY: u64 = 5_000_000;

/// Between a question and the read or write that it was for, no other processor may take what was there. Output and
/// error may be the same pipe.
static READING: Mutex<()> = Mutex::new(());
static WRITING: Mutex<()> = Mutex::new(());

/// The machine's [`machine::Console`].
#[derive(Debug, Default)]
pub struct Console;

impl Console {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// Waits for a signal, a change of a watched stream, or packets. Signals are blocked outside.
pub fn wait() {
    let watched = WATCHED.swap(0, Relaxed);
    let [input, output, error] = [Stream::Input, Stream::Output, Stream::Error].map(|stream| {
        let descriptor = if watched & bit(stream) != 0 { stream as i32 } else { -1 };
        Poll { descriptor, events: events(stream), found: 0 }
    });
    // Whoever asks the kernel what has come next takes the changes out of the set.
    let changes = Poll { descriptor: sockets::descriptor(), events: POLLIN, found: 0 };
    // What interrupted the wait has been noted by its handler. Those who still want to watch a stream ask again.
    nics::wait([input, output, error, changes]);
}

/// A thread goes on here: sees to it that somebody watches what is to be watched.
#[inline(always)]
pub fn hand_over() {
    let others = WATCHED.load(Relaxed) != 0 || nics::is_watched();
    if others || sockets::descriptor() >= 0 {
        pass_on_watch(others);
    }
}

#[cold]
#[inline(never)]
fn pass_on_watch(others: bool) {
    if let Some(idler) = smp::idler() {
        // For changes of sockets each idler waits already.
        if others {
            smp::notify(idler);
        }
    } else if !LOOKING.swap(true, Relaxed) && !Timer::Look.set(Some(clock::now(ClockId::Monotonic) + LOOK_EVERY)) {
        LOOKING.store(false, Relaxed);
    }
}

/// An alarm rang, so those who still want to watch are about to ask again.
pub fn look() {
    WATCHED.store(0, Relaxed);
    LOOKING.store(false, Relaxed);
}

const fn bit(stream: Stream) -> u8 {
    1 << stream as u8
}

const fn events(stream: Stream) -> i16 {
    match stream {
        Stream::Input => POLLIN,
        Stream::Output | Stream::Error => POLLOUT,
    }
}

/// Whether a stream is a regular file, which never waits; asked once.
fn is_regular(stream: Stream) -> bool {
    let kind = &KINDS[stream as usize];
    if kind.load(Relaxed) == UNKNOWN {
        kind.store(if files::is_regular(stream as i32) { REGULAR } else { OTHER }, Relaxed);
    }
    kind.load(Relaxed) == REGULAR
}

/// What a stream has now; if that is nothing, it is watched.
fn poll(stream: Stream) -> i16 {
    let found = files::poll_now(stream as i32, events(stream));
    if found == 0 {
        WATCHED.fetch_or(bit(stream), Relaxed);
    }
    found
}

/// Whether standard input is a terminal that answers a read without any key: not line by line, and VMIN is 0. Such a
/// read takes as long as VTIME says at most (termios(3)).
fn reads_nothing() -> bool {
    // Offsets in the kernel's `struct termios`: the local flags, and VMIN among the control characters.
    const LOCAL_FLAGS: usize = 12;
    const CONTROL_CHARACTERS: usize = 17;
    const VMIN: usize = 6;
    const ICANON: u8 = 2;
    files::attributes(Stream::Input as i32)
        .is_ok_and(|attributes| attributes[LOCAL_FLAGS] & ICANON == 0 && attributes[CONTROL_CHARACTERS + VMIN] == 0)
}

fn watch(stream: Stream) -> ConsoleError {
    WATCHED.fetch_or(bit(stream), Relaxed);
    ConsoleError::WouldBlock
}

#[inline(never)]
fn failed(stream: Stream, error: HostError) -> ConsoleError {
    match error {
        HostError::AGAIN | HostError::INTERRUPTED => watch(stream),
        HostError::BROKEN_PIPE => ConsoleError::Broken,
        HostError::NOT_TERMINAL => ConsoleError::NotTerminal,
        HostError(number) => ConsoleError::Host(number),
    }
}

fn write_regular(stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
    files::write(stream as i32, bytes).map_err(|error| failed(stream, error))
}

impl machine::Console for Console {
    fn read(&self, buffer: &mut [u8]) -> Result<usize, ConsoleError> {
        let regular = is_regular(Stream::Input);
        let _turn = (!regular).then(|| READING.lock());
        if !regular && poll(Stream::Input) == 0 && !reads_nothing() {
            return Err(ConsoleError::WouldBlock);
        }
        files::read(Stream::Input as i32, buffer).map_err(|error| failed(Stream::Input, error))
    }

    fn cancel_read(&self) {
        WATCHED.fetch_and(!bit(Stream::Input), Relaxed);
    }

    fn write(&self, stream: Stream, bytes: &[u8]) -> Result<usize, ConsoleError> {
        if is_regular(stream) {
            return write_regular(stream, bytes);
        }
        let _turn = WRITING.lock();
        let mut done = 0;
        for piece in bytes.chunks(PIPE_BUFFER) {
            let result = if poll(stream) == 0 { Err(watch(stream)) } else { write_regular(stream, piece) };
            match result {
                Ok(count) => done += count,
                Err(error) if done == 0 => return Err(error),
                Err(_) => break,
            }
            if result != Ok(piece.len()) {
                break;
            }
        }
        Ok(done)
    }

    fn readiness(&self, stream: Stream) -> Readiness {
        if is_regular(stream) {
            return Readiness { readable: true, writable: true, hangup: false };
        }
        let found = poll(stream);
        match stream {
            Stream::Input => Readiness { readable: found != 0, writable: false, hangup: found & POLLHUP != 0 },
            Stream::Output | Stream::Error => {
                Readiness { readable: false, writable: found != 0, hangup: found & (POLLERR | POLLHUP | POLLNVAL) != 0 }
            }
        }
    }

    #[inline(never)]
    fn is_terminal(&self, stream: Stream) -> bool {
        files::attributes(stream as i32).is_ok()
    }

    fn attributes(&self, stream: Stream) -> Result<TerminalAttributes, ConsoleError> {
        files::attributes(stream as i32).map_err(|error| failed(stream, error))
    }

    fn set_attributes(
        &self,
        stream: Stream,
        when: SetWhen,
        attributes: &TerminalAttributes,
    ) -> Result<(), ConsoleError> {
        files::set_attributes(stream as i32, when as usize, attributes).map_err(|error| failed(stream, error))
    }

    fn window_size(&self, stream: Stream) -> Result<WindowSize, ConsoleError> {
        files::window_size(stream as i32).map_err(|error| failed(stream, error))
    }

    fn take_signal(&self) -> Option<u8> {
        signals::take()
    }

    fn job_control(&self, stopped: Option<u8>) {
        // Without a command nobody is told.
        control::send(job_control_header(stopped), &[]);
    }

    fn record(&self, record: Record, payload: &[u8]) {
        control::record(record, payload);
    }
}
