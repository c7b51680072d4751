//! The guest's end of the stream: what a kernel remembers between frames, without a machine underneath.
//!
//! A console driver gives it the bytes that arrive ([`Guest::receive`]) and a [`Link`] to send on; it behaves as
//! [`machine::Console`] asks. Nothing here waits, allocates, or believes the other side.

mod input;
mod output;
mod ring;
mod terminal;
#[cfg(test)]
mod tests;

use input::Input;
use machine::{
    ConsoleError, ExitReason, Readiness, Record, SetWhen, Stream, TERMINAL_ATTRIBUTES, TerminalAttributes, WindowSize,
};
pub use output::{Output, Sender};
use terminal::Terminal;

use crate::{Decoder, FromGuest, HEADER, Header, MAX_PAYLOAD, Piece, ToGuest};

/// The way to the host.
pub trait Link {
    /// Bytes that [`Link::send`] would take now, header included.
    fn room(&self) -> usize;
    /// Sends a frame, or nothing: `false` if there is no room, and then the link watches for room.
    fn send(&mut self, header: Header, payload: &[u8]) -> bool;
}

/// What the launch record says about the streams.
#[derive(Clone, Copy, Debug, Default)]
pub struct Streams {
    /// Which of input, output and error are terminals.
    pub terminals: [bool; 3],
    /// To which of them each write is answered, for there may be no room.
    pub answered: [bool; 3],
    /// The terminal's attributes, if there is one.
    pub attributes: Option<TerminalAttributes>,
    /// Its size.
    pub window: WindowSize,
}

/// A write smaller than this is taken whole or not at all (PIPE_BUF, pipe(7)).
const WHOLE_WRITE: usize = 4096;
/// Most bytes of a record; the rest is cut off.
const LONGEST_RECORD: usize = 32 << 10;

/// The guest's end.
#[derive(Debug)]
pub struct Guest<'b> {
    decoder: Decoder,
    input: Input<'b>,
    terminal: Terminal,
    terminals: [bool; 3],
    broken: [bool; 3],
    answered: [bool; 3],
    /// What was last heard about writes to them.
    written: [Option<i32>; 3],
    /// Bit `n - 1`: signal `n` waits.
    signals: u64,
    /// What the clock on the wall shows, in 256ths of a second since 1970.
    time: Option<u64>,
}

impl<'b> Guest<'b> {
    /// Before the first byte: no stream is a terminal.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            decoder: Decoder::new(),
            input: Input::new(),
            terminal: Terminal::new(),
            terminals: [false; 3],
            broken: [false; 3],
            answered: [false; 3],
            written: [None; 3],
            signals: 0,
            time: None,
        }
    }

    /// Takes over what the launch record says.
    pub fn configure(&mut self, streams: &Streams) {
        (self.terminals, self.answered) = (streams.terminals, streams.answered);
        self.terminal.configure(streams.attributes, streams.window);
        self.input.set_terminal(streams.terminals[0]);
    }

    /// Memory for input that has come but was not read. Done while no input is there; `false` otherwise.
    /// 4096 bytes do for a terminal; from twice [`MAX_PAYLOAD`] on, reading and sending overlap.
    pub fn set_input_buffer(&mut self, storage: &'b mut [u8]) -> bool {
        self.input.set_buffer(storage)
    }

    /// Bytes of that memory.
    #[must_use]
    pub fn input_capacity(&self) -> usize {
        self.input.capacity()
    }

    /// Takes in bytes from the host.
    pub fn receive(&mut self, mut bytes: &[u8]) {
        loop {
            match self.decoder.next(&mut bytes) {
                Ok(Some(piece)) => self.take(&piece),
                Ok(None) => return,
                // The host is not the command: nothing more can come from it.
                Err(_) => return self.input.end_for_ever(),
            }
        }
    }

    fn take(&mut self, piece: &Piece<'_>) {
        match ToGuest::from_byte(piece.header.kind) {
            Some(ToGuest::Input) => self.input.arrived(piece),
            Some(ToGuest::Readable) => self.input.told(piece.header.number != 0),
            Some(ToGuest::Signal) if piece.last => self.note_signal(piece.header.number),
            Some(ToGuest::Window) => self.terminal.window_arrived(piece),
            Some(ToGuest::TerminalSet) => self.terminal.set_arrived(piece),
            Some(ToGuest::Broken) => {
                if let Some(broken) = self.broken.get_mut(usize::from(piece.header.argument)) {
                    *broken = true;
                }
            }
            Some(ToGuest::Written) => {
                if let Some(written) = self.written.get_mut(usize::from(piece.header.argument)) {
                    *written = Some(piece.header.number);
                }
            }
            Some(ToGuest::Time) => {
                let (seconds, parts) = (piece.header.number as u32, piece.header.argument);
                self.time = Some(u64::from(seconds) << 8 | u64::from(parts));
            }
            Some(ToGuest::Signal) | None => {}
        }
    }

    fn note_signal(&mut self, number: i32) {
        if (1..=64).contains(&number) {
            self.signals |= 1 << (number - 1);
        }
    }

    /// What the clock on the wall is to show, in nanoseconds since 1970, if that has been heard.
    pub fn take_time(&mut self) -> Option<u64> {
        const SECOND: u64 = 1_000_000_000;
        self.time.take().map(|time| (time >> 8) * SECOND + (time & 0xff) * SECOND / 256)
    }

    /// Whether [`Guest::take_signal`] has something.
    #[must_use]
    pub const fn has_signal(&self) -> bool {
        self.signals != 0
    }

    /// See [`machine::Console::take_signal`].
    pub fn take_signal(&mut self) -> Option<u8> {
        if self.signals == 0 {
            return None;
        }
        let number = self.signals.trailing_zeros() as u8 + 1;
        self.signals &= self.signals - 1;
        Some(number)
    }

    /// See [`machine::Console::read`].
    pub fn read(&mut self, buffer: &mut [u8], link: &mut impl Link) -> Result<usize, ConsoleError> {
        self.input.read(buffer, link)
    }

    /// See [`machine::Console::cancel_read`].
    pub fn cancel_read(&mut self, link: &mut impl Link) {
        self.input.cancel(link);
    }

    /// See [`machine::Console::write`].
    pub fn write(&mut self, stream: Stream, bytes: &[u8], link: &mut impl Link) -> Result<usize, ConsoleError> {
        if self.broken[stream as usize] {
            return Err(ConsoleError::Broken);
        }
        if let Some(error @ ..0) = self.written[stream as usize].take() {
            // About a write that nobody waited for.
            return Err(ConsoleError::Host(error.saturating_neg()));
        }
        if bytes.is_empty() {
            return Ok(0);
        }
        let payload = link.room().saturating_sub(HEADER).min(MAX_PAYLOAD).min(bytes.len());
        let payload = if payload < bytes.len().min(WHOLE_WRITE) { bytes } else { &bytes[..payload] };
        let sent = link.send(header(FromGuest::Output, stream as u8, payload.len(), 0), payload);
        if sent { Ok(payload.len()) } else { Err(ConsoleError::WouldBlock) }
    }

    /// Whether each write to `stream` is answered: what [`Guest::write`] has sent is done when [`Guest::answer`] says
    /// so.
    #[must_use]
    pub const fn is_answered(&self, stream: Stream) -> bool {
        self.answered[stream as usize]
    }

    /// What became of the last write to a stream that is answered, once: the bytes written, or why none was.
    pub fn answer(&mut self, stream: Stream) -> Option<Result<usize, ConsoleError>> {
        if self.broken[stream as usize] || self.input.is_lost() {
            return Some(Err(ConsoleError::Broken));
        }
        let number = self.written[stream as usize].take()?;
        Some(usize::try_from(number).map_err(|_| ConsoleError::Host(number.saturating_neg())))
    }

    /// See [`machine::Console::readiness`].
    pub fn readiness(&mut self, stream: Stream, link: &mut impl Link) -> Readiness {
        match stream {
            Stream::Input => self.input.readiness(link),
            Stream::Output | Stream::Error => {
                let broken = self.broken[stream as usize];
                Readiness { writable: broken || link.room() >= HEADER + WHOLE_WRITE, hangup: broken, readable: false }
            }
        }
    }

    /// Whether the host is about to say what input there is: [`Guest::readiness`] knows better then. It says so at once
    /// unless its reader keeps it waiting.
    #[must_use]
    pub const fn is_asking(&self) -> bool {
        self.input.is_asking()
    }

    /// Whether the host said that there is input, and nothing was asked for since: a read gets it as soon as it has
    /// come here.
    #[must_use]
    pub const fn has_told(&self) -> bool {
        self.input.has_told()
    }

    /// Whether the host has not answered yet what input was asked for.
    #[must_use]
    pub fn is_wishing(&self) -> bool {
        self.input.is_wishing()
    }

    /// See [`machine::Console::is_terminal`].
    #[must_use]
    pub const fn is_terminal(&self, stream: Stream) -> bool {
        self.terminals[stream as usize]
    }

    /// See [`machine::Console::attributes`].
    pub fn attributes(&self, stream: Stream) -> Result<TerminalAttributes, ConsoleError> {
        self.terminal.attributes().filter(|_| self.is_terminal(stream)).ok_or(ConsoleError::NotTerminal)
    }

    /// See [`machine::Console::window_size`].
    pub fn window_size(&self, stream: Stream) -> Result<WindowSize, ConsoleError> {
        self.is_terminal(stream).then_some(self.terminal.window()).ok_or(ConsoleError::NotTerminal)
    }

    /// Asks for new attributes; the answer comes through [`Guest::attributes_answer`].
    pub fn set_attributes(
        &mut self,
        stream: Stream,
        when: SetWhen,
        attributes: &TerminalAttributes,
        link: &mut impl Link,
    ) -> Result<(), ConsoleError> {
        if !self.is_terminal(stream) {
            return Err(ConsoleError::NotTerminal);
        }
        let header = header(FromGuest::SetTerminal, when as u8, TERMINAL_ATTRIBUTES, stream as i32);
        if !link.send(header, attributes) {
            return Err(ConsoleError::WouldBlock);
        }
        if when == SetWhen::Flush {
            self.input.discard();
        }
        self.input.forget_readiness();
        self.terminal.expect_answer();
        Ok(())
    }

    /// The answer to [`Guest::set_attributes`], once.
    pub fn attributes_answer(&mut self) -> Option<Result<(), ConsoleError>> {
        if self.input.is_lost() {
            return Some(Err(ConsoleError::Broken));
        }
        self.terminal.take_answer()
    }
}

impl Default for Guest<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// Sends a line (or a trace record) for the person who started us; `false` if there is no room.
pub fn send_record(record: Record, payload: &[u8], link: &mut impl Link) -> bool {
    let payload = &payload[..payload.len().min(LONGEST_RECORD)];
    link.send(header(FromGuest::Record, record as u8, payload.len(), 0), payload)
}

/// Sends what [`machine::Console::job_control`] tells; `false` if there is no room.
pub fn send_job_control(stopped: Option<u8>, link: &mut impl Link) -> bool {
    link.send(job_control_header(stopped), &[])
}

/// The frame about job control; it has no payload.
#[must_use]
pub const fn job_control_header(stopped: Option<u8>) -> Header {
    let number = match stopped {
        Some(signal) => signal as i32,
        None => 0,
    };
    header(FromGuest::JobControl, 0, 0, number)
}

/// Sends the last frame; `false` if there is no room.
pub fn send_exit(reason: ExitReason, link: &mut impl Link) -> bool {
    link.send(exit_header(reason), &[])
}

/// The frame that tells the end; it has no payload.
#[must_use]
pub const fn exit_header(reason: ExitReason) -> Header {
    let (argument, number) = match reason {
        ExitReason::Exited(status) => (0, status),
        ExitReason::Killed(signal) => (1, signal),
        ExitReason::Failed => (2, 0),
        ExitReason::CannotExecute => (3, 0),
        ExitReason::NotFound => (4, 0),
    };
    header(FromGuest::Exit, argument, 0, number as i32)
}

const fn header(kind: FromGuest, argument: u8, length: usize, number: i32) -> Header {
    Header { kind: kind as u8, argument, length: length as u32, number }
}
