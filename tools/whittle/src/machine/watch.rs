//! Waiting for everything a console serves at once (poll(2)).

use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::text::Text;
use crate::terminal::stream;

/// What to wait for.
pub struct Watch<'a> {
    /// The command's signals.
    pub signals: BorrowedFd<'a>,
    /// The connection to the guest.
    pub connection: BorrowedFd<'a>,
    /// Frames of the guest's would be taken.
    pub receive: bool,
    /// Frames wait to be sent.
    pub send: bool,
    /// The guest wants input.
    pub input: bool,
    /// What to wait for on standard output and error; `None` not even for their ends.
    pub output: [Option<PollFlags>; 2],
    /// Texts beside the connection.
    pub texts: &'a [Text],
    /// The timer of the clock on the wall.
    pub clock: Option<BorrowedFd<'a>>,
}

/// What there is to do.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    /// A signal came.
    pub signals: bool,
    /// The connection has frames, or is at its end.
    pub connection: bool,
    /// The connection takes frames.
    pub sendable: bool,
    /// Standard input has something, or is at its end.
    pub input: bool,
    /// What happened on standard output and error.
    pub output: [PollFlags; 2],
    /// Texts that have something.
    pub texts: [bool; 2],
    /// The machine is to be told the time.
    pub clock: bool,
}

impl Watch<'_> {
    /// Waits until something is there; a signal that interrupts the wait is no reason to go on.
    pub fn wait(&self) -> Result<Ready, Errno> {
        let mut connection = PollFlags::empty();
        connection.set(PollFlags::IN, self.receive);
        connection.set(PollFlags::OUT, self.send);
        let mut set = Set::default();
        let signals = set.add(self.signals, Some(PollFlags::IN));
        // A connection that is neither read nor written would report its end over and over.
        let connection = set.add(self.connection, Some(connection).filter(|events| !events.is_empty()));
        let input = set.add(stream(0), self.input.then_some(PollFlags::IN));
        let output = [set.add(stream(1), self.output[0]), set.add(stream(2), self.output[1])];
        let mut texts = [None; 2];
        for (place, file) in texts.iter_mut().zip(self.texts.iter().map(Text::file)) {
            *place = file.and_then(|file| set.add(file.as_fd(), Some(PollFlags::IN)));
        }
        let clock = self.clock.and_then(|clock| set.add(clock, Some(PollFlags::IN)));
        match poll(&mut set.files, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
        let comes = PollFlags::IN | PollFlags::HUP | PollFlags::ERR;
        Ok(Ready {
            signals: set.events(signals).intersects(PollFlags::IN),
            connection: set.events(connection).intersects(comes),
            sendable: set.events(connection).intersects(PollFlags::OUT),
            input: !set.events(input).is_empty(),
            output: output.map(|place| set.events(place)),
            texts: texts.map(|place| !set.events(place).is_empty()),
            clock: !set.events(clock).is_empty(),
        })
    }
}

/// The files to poll, each with its place.
#[derive(Default)]
struct Set<'a> {
    files: Vec<PollFd<'a>>,
}

impl<'a> Set<'a> {
    fn add(&mut self, file: BorrowedFd<'a>, events: Option<PollFlags>) -> Option<usize> {
        self.files.push(PollFd::from_borrowed_fd(file, events?));
        Some(self.files.len() - 1)
    }

    fn events(&self, place: Option<usize>) -> PollFlags {
        place.and_then(|place| self.files.get(place)).map_or(PollFlags::empty(), PollFd::revents)
    }
}
