//! The machine's console: frames in, frames out, standard streams, terminal and signals, in one poll loop.
//!
//! Input is read only when the guest asks for it. While a part of the guest's output cannot be written, nothing more
//! is received, so that a slow reader slows the program down; signals still pass.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};

use machine::{SetWhen, TERMINAL_ATTRIBUTES};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use rustix::process::Signal;
use wire::{Decoder, FromGuest, Header, MAX_PAYLOAD, ToGuest};

use super::output::{Output, Wrote, may_fill};
use super::text::Text;
use super::wall::{self, WallClock};
use super::watch::{Ready, Watch};
use super::{End, Records};
use crate::failure::{Doing, Failure};
use crate::signals::{Asked, Sender, Signals};
use crate::terminal::{self, stream};

/// EINTR, for a wish that was taken back.
const INTERRUPTED: i32 = -4;
/// Bytes received at once.
const PART: usize = 64 << 10;
/// The machine itself, as far as signals concern it.
pub trait Guest {
    /// Hands a signal on by a way of its own; `false` if it must travel as a frame.
    fn signal(&mut self, number: u8, sender: Sender) -> bool;
    /// Stops the machine, the command and then continues both, after Ctrl-Z.
    fn stop(&mut self);
    /// Stops the command alone as this signal would, for the program is stopped; `false` if it was not stopped, as
    /// nobody could continue it.
    fn stop_command(&mut self, signal: i32) -> bool;
    /// A child changed its state.
    fn child_changed(&mut self);
    /// The guest asks for input; `true` if it gets it by a way of its own.
    fn wants_input(&mut self) -> bool {
        false
    }
}

/// Why the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The kernel said how it ended.
    End(End),
    /// The connection broke before it did.
    Lost,
    /// The person pressed Ctrl-C twice.
    Interrupted,
}

/// The loop's state.
pub struct Pump<'a> {
    connection: OwnedFd,
    decoder: Decoder,
    /// What was received; the frames begin behind the bytes that were taken already.
    received: Vec<u8>,
    taken: usize,
    /// The payload of a frame that has not come in whole, unless it is output.
    payload: Vec<u8>,
    to_guest: Vec<u8>,
    output: Output,
    /// The program's write that is under way.
    writing: Writing,
    /// Bytes of input the guest asks for.
    wanted: Option<usize>,
    wants_readable: bool,
    records: &'a mut Records,
    /// The guest has the standard streams and hears signals itself; only its records and its end come here.
    direct: bool,
    texts: Vec<Text>,
    /// The kernel says who is stopped by Ctrl-Z.
    has_jobs: bool,
    /// The machine's clock on the wall, which follows this host's; `None` if it is the program's alone.
    clock: Option<WallClock>,
}

impl<'a> Pump<'a> {
    /// A console at the other end of `connection`. `texts` are listened to meanwhile, see [`Pump::into_texts`].
    pub fn console(connection: OwnedFd, texts: [File; 2], records: &'a mut Records) -> Self {
        Self { direct: false, texts: texts.map(Text::new).into(), ..Self::control(connection, records) }
    }

    /// The listener to a guest that has the standard streams itself.
    pub fn control(connection: OwnedFd, records: &'a mut Records) -> Self {
        Self {
            connection,
            decoder: Decoder::new(),
            received: Vec::with_capacity(PART),
            taken: 0,
            payload: Vec::new(),
            to_guest: Vec::new(),
            output: Output::default(),
            writing: Writing::default(),
            wanted: None,
            wants_readable: false,
            records,
            direct: true,
            texts: Vec::new(),
            has_jobs: false,
            clock: None,
        }
    }

    /// Has the machine's clock on the wall follow this host's, for a machine that starts now.
    pub fn follow_the_wall_clock(&mut self) {
        self.clock = Some(WallClock::new());
    }

    /// Tells the time if it is time to.
    fn tell_time(&mut self, is_due: bool) {
        let Some(clock) = &mut self.clock else { return };
        let begins = !self.received.is_empty() && clock.begin();
        if is_due {
            clock.again();
        }
        if begins || is_due {
            let (parts, seconds) = wall::told();
            self.send(ToGuest::Time, parts, seconds, &[]);
        }
    }

    /// Serves the guest until it ends.
    pub fn run(&mut self, signals: &mut Signals, guest: &mut dyn Guest) -> Result<Finish, Failure> {
        loop {
            while self.output.waiting_for().is_none() {
                match self.take(guest)? {
                    Taken::Nothing => break,
                    Taken::Piece => {}
                    Taken::End(end) => return Ok(Finish::End(end)),
                }
            }
            let ready = self.wait(signals)?;
            if ready.signals && self.signalled(signals, guest) {
                return Ok(Finish::Interrupted);
            }
            self.writing(&ready);
            if ready.input {
                self.input();
            }
            for (text, _) in self.texts.iter_mut().zip(ready.texts).filter(|(_, ready)| *ready) {
                text.read();
                if text.is_fatal() {
                    return Ok(Finish::Lost);
                }
            }
            if ready.connection && !self.receive()? {
                return Ok(Finish::Lost);
            }
            self.tell_time(ready.clock);
        }
    }

    /// The texts so far; up to their ends if the machine was killed.
    pub fn into_texts(self) -> Vec<String> {
        self.texts.into_iter().map(Text::into_whole).collect()
    }

    /// Takes the next piece of a frame from what was received. Output goes on at once, all else when it is whole.
    fn take(&mut self, guest: &mut dyn Guest) -> Result<Taken, Failure> {
        let mut rest = &self.received[self.taken..];
        let next = self.decoder.next(&mut rest);
        self.taken = self.received.len() - rest.len();
        let nonsense = |error| Failure::ours(format!("the kernel sent nonsense ({error:?})"));
        let Some(piece) = next.map_err(nonsense)? else { return Ok(Taken::Nothing) };
        if piece.header.kind == FromGuest::Output as u8 {
            if matches!(piece.header.argument, 1 | 2) {
                self.writing.is_under_way = true;
                self.writing.is_last = piece.last;
                // What stands behind an error is not written.
                let payload = if self.writing.error.is_some() { &[] } else { piece.payload };
                self.output.queue(piece.header.argument, payload);
                if payload.is_empty() {
                    self.wrote(piece.header.argument, None);
                }
            }
            return Ok(Taken::Piece);
        }
        self.payload.extend_from_slice(piece.payload);
        if !piece.last {
            return Ok(Taken::Piece);
        }
        let payload = std::mem::take(&mut self.payload);
        Ok(self.serve(piece.header, &payload, guest).map_or(Taken::Piece, Taken::End))
    }

    /// Answers one frame; the last one ends the loop.
    fn serve(&mut self, header: Header, payload: &[u8], guest: &mut dyn Guest) -> Option<End> {
        match FromGuest::from_byte(header.kind)? {
            FromGuest::Output => {}
            FromGuest::WantInput if guest.wants_input() => {}
            FromGuest::WantInput => {
                self.wanted = Some(usize::try_from(header.number).unwrap_or(0).min(MAX_PAYLOAD));
            }
            FromGuest::WantReadable => {
                let readable = input_waits();
                self.wants_readable = !readable;
                self.send(ToGuest::Readable, 0, readable.into(), &[]);
            }
            FromGuest::CancelInput => {
                if self.wanted.take().is_some() {
                    self.send(ToGuest::Input, 0, INTERRUPTED, &[]);
                }
            }
            FromGuest::SetTerminal => self.set_terminal(header, payload),
            FromGuest::Record => {
                if let Some(line) = self.records.take(header.argument, payload) {
                    self.output.queue(2, format!("{line}\n").as_bytes());
                }
            }
            FromGuest::JobControl if header.number == 0 => self.has_jobs = true,
            FromGuest::JobControl => {
                if !guest.stop_command(header.number) {
                    self.forward(Signal::CONT.as_raw() as u8, Sender::Process, guest);
                }
            }
            FromGuest::Exit => return Some(End::from_frame(header.argument, header.number)),
        }
        None
    }

    fn set_terminal(&mut self, header: Header, payload: &[u8]) {
        let when =
            [SetWhen::Now, SetWhen::Drain, SetWhen::Flush].into_iter().find(|&when| when as u8 == header.argument);
        let attributes = <&[u8; TERMINAL_ATTRIBUTES]>::try_from(payload).ok();
        let set = match (when, attributes, u8::try_from(header.number)) {
            (Some(when), Some(attributes), Ok(number @ 0..=2)) => terminal::set(number, when, attributes),
            _ => Err(Errno::INVAL),
        };
        match set {
            Ok(now) => self.send(ToGuest::TerminalSet, 0, 0, &now),
            Err(error) => self.send(ToGuest::TerminalSet, 0, -error.raw_os_error(), &[]),
        }
    }

    fn send(&mut self, kind: ToGuest, argument: u8, number: i32, payload: &[u8]) {
        if self.direct {
            return;
        }
        let header = Header { kind: kind as u8, argument, length: payload.len() as u32, number };
        self.to_guest.extend(header.encode());
        self.to_guest.extend(payload);
        self.flush();
    }

    /// Sends what the connection takes; the rest when it is writable again.
    fn flush(&mut self) {
        while !self.to_guest.is_empty() {
            match send(&self.connection, &self.to_guest, SendFlags::NOSIGNAL | SendFlags::DONTWAIT) {
                Ok(count) => drop(self.to_guest.drain(..count)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                // The machine is gone; receiving will say so.
                Err(_) => self.to_guest.clear(),
            }
        }
    }

    fn wait(&self, signals: &Signals) -> Result<Ready, Failure> {
        let waiting = self.output.waiting_for();
        let output = [1, 2].map(|number| match waiting {
            _ if self.output.is_broken(number) => None,
            Some(stream) if stream == number => Some(PollFlags::OUT),
            // No event but that the other end is gone.
            _ => (!self.direct).then_some(PollFlags::empty()),
        });
        let watch = Watch {
            signals: signals.as_fd(),
            connection: self.connection.as_fd(),
            receive: waiting.is_none(),
            send: !self.to_guest.is_empty(),
            input: self.wanted.is_some() || self.wants_readable,
            output,
            texts: &self.texts,
            clock: self.clock.as_ref().and_then(WallClock::timer),
        };
        watch.wait().doing("wait for the machine")
    }

    /// Hands signals on; true if the machine is to end.
    fn signalled(&mut self, signals: &mut Signals, guest: &mut dyn Guest) -> bool {
        while let Some(asked) = signals.take() {
            match asked {
                Asked::Forward(number, sender) => self.forward(number, sender, guest),
                Asked::Window(sender) => {
                    if let Some(size) = terminal::window() {
                        let payload: Vec<u8> = size.iter().flat_map(|number| number.to_le_bytes()).collect();
                        self.send(ToGuest::Window, 0, 0, &payload);
                    }
                    self.forward(Signal::WINCH.as_raw() as u8, sender, guest);
                }
                Asked::Stop(sender) if self.has_jobs => self.forward(Signal::TSTP.as_raw() as u8, sender, guest),
                Asked::Stop(_) => guest.stop(),
                Asked::Child => guest.child_changed(),
                Asked::End => return true,
            }
        }
        false
    }

    fn forward(&mut self, number: u8, sender: Sender, guest: &mut dyn Guest) {
        if !guest.signal(number, sender) {
            self.send(ToGuest::Signal, 0, i32::from(number), &[]);
        }
    }

    fn writing(&mut self, ready: &Ready) {
        if ready.sendable {
            self.flush();
        }
        for (number, events) in [1, 2].into_iter().zip(ready.output) {
            let waits = self.output.waiting_for() == Some(number);
            let gone = events.intersects(PollFlags::ERR | PollFlags::NVAL);
            if waits && !events.is_empty() {
                match self.output.write() {
                    Wrote::Some => {}
                    Wrote::All => self.wrote(number, None),
                    Wrote::Failed(error) => self.wrote(number, Some(error)),
                    Wrote::Broken(number) => {
                        self.send(ToGuest::Broken, number, 0, &[]);
                        self.writing = Writing::default();
                    }
                }
            } else if gone && !self.output.is_broken(number) {
                self.output.set_broken(number);
                self.send(ToGuest::Broken, number, 0, &[]);
            }
        }
    }

    /// A part of the program's output is written, or was not for this error: the end of a write is answered.
    fn wrote(&mut self, number: u8, error: Option<Errno>) {
        if !self.writing.is_under_way {
            return;
        }
        self.writing.count += self.output.written();
        self.writing.error = self.writing.error.or(error);
        self.writing.is_under_way = false;
        if !self.writing.is_last {
            return;
        }
        let Writing { count, error, .. } = std::mem::take(&mut self.writing);
        let failed = error.filter(|_| count == 0).map(|error| -error.raw_os_error());
        if may_fill(number) {
            self.send(ToGuest::Written, number, failed.unwrap_or(count as i32), &[]);
        } else if let Some(error) = error {
            eprintln!("whittle: cannot write the program's output: {error}");
            self.send(ToGuest::Written, number, -error.raw_os_error(), &[]);
        }
    }

    fn input(&mut self) {
        if std::mem::take(&mut self.wants_readable) {
            self.send(ToGuest::Readable, 0, 1, &[]);
        }
        let Some(wanted) = self.wanted else { return };
        let mut bytes = vec![0; wanted];
        match read(stream(0), &mut bytes) {
            Ok(count) => self.send(ToGuest::Input, 0, count as i32, &bytes[..count]),
            // Somebody else was faster: the wish stays.
            Err(Errno::AGAIN | Errno::INTR) => return,
            Err(error) => self.send(ToGuest::Input, 0, -error.raw_os_error(), &[]),
        }
        self.wanted = None;
    }

    /// Receives a part, when all before it was taken; `false` at the end of the connection.
    fn receive(&mut self) -> Result<bool, Failure> {
        self.received.resize(PART, 0);
        let result = recv(&self.connection, &mut self.received[..], RecvFlags::DONTWAIT);
        self.taken = 0;
        self.received.truncate(result.map_or(0, |(count, _)| count));
        match result {
            Ok((0, _)) | Err(Errno::CONNRESET) => Ok(false),
            Ok(_) | Err(Errno::AGAIN | Errno::INTR) => Ok(true),
            Err(error) => Err(error).doing("hear the machine"),
        }
    }
}

/// Whether reading standard input would not wait now.
fn input_waits() -> bool {
    let mut input = [PollFd::from_borrowed_fd(stream(0), PollFlags::IN)];
    // What cannot be looked at is found out by reading it.
    !matches!(poll(&mut input, Some(&Timespec::default())), Ok(0))
}

/// How far a frame of output is.
#[derive(Debug, Default)]
struct Writing {
    /// A piece of it waits in the output.
    is_under_way: bool,
    /// That is the last one.
    is_last: bool,
    /// Bytes that are written.
    count: usize,
    error: Option<Errno>,
}

/// What was taken from the bytes received.
enum Taken {
    Nothing,
    Piece,
    End(End),
}
