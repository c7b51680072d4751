//! The slave reads: by lines, or as VMIN and VTIME say (termios(3)).

use crate::termios::Character;
use crate::{Changes, Discipline};

/// Linux reads into a buffer of so many bytes, and a read that waits for more (VMIN) gets no more than that.
const AT_ONCE: usize = 64;

/// A read of the slave while it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Bytes that there is room for.
    wanted: usize,
    /// Bytes that were taken.
    taken: usize,
}

impl Reading {
    /// A read of at most `wanted` bytes that has taken none.
    #[must_use]
    pub const fn new(wanted: usize) -> Self {
        Self { wanted, taken: 0 }
    }

    /// Bytes that it has taken: what it answers if it ends now, by a signal or because its time is up. A read that does
    /// not wait (O_NONBLOCK) is refused if they are none (EAGAIN).
    #[must_use]
    pub const fn taken(&self) -> usize {
        self.taken
    }

    const fn left(&self) -> usize {
        // Attributes may have made `wanted` less meanwhile.
        self.wanted.saturating_sub(self.taken)
    }
}

/// How far a read came. Times are tenths of a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It is over, and answers what it has taken.
    Over,
    /// It waits for more input, for ever.
    Waits,
    /// It waits for so long, from when it began (VMIN is 0).
    WaitsInAll(u8),
    /// It waits for so long, from when it took the last bytes.
    WaitsForNext(u8),
}

impl Discipline {
    /// Takes what a read of the slave may have now; `sink` may take less than it is offered, which ends the read.
    pub fn read(&mut self, reading: &mut Reading, sink: &mut dyn FnMut(&[u8]) -> usize) -> Progress {
        if reading.left() == 0 {
            return Progress::Over;
        }
        let before = self.input.len();
        let progress =
            if self.attributes.edits() { self.read_line(reading, sink) } else { self.read_raw(reading, sink) };
        if self.input.len() < before {
            self.changes |= Changes::MASTER_WRITABLE;
            self.with_output(Self::take_in_arriving);
        }
        progress
    }

    /// How a read of `wanted` bytes waits: [`Progress::Over`] if it would not. One that takes nothing before it has all
    /// that it waits for can be tried again.
    #[must_use]
    pub fn waits_for(&self, wanted: usize) -> Progress {
        if wanted == 0 {
            return Progress::Over;
        }
        if self.attributes.edits() {
            return if self.input.complete() == 0 { Progress::Waits } else { Progress::Over };
        }
        let (minimum, wait) = self.patience();
        let wanted = if minimum > AT_ONCE { wanted.min(AT_ONCE) } else { wanted };
        let there = self.input.len();
        match wait {
            _ if there >= minimum.min(wanted) => Progress::Over,
            Progress::WaitsForNext(_) if there == 0 => Progress::Waits,
            Progress::WaitsInAll(0) => Progress::Over,
            wait => wait,
        }
    }

    fn read_line(&mut self, reading: &mut Reading, sink: &mut dyn FnMut(&[u8]) -> usize) -> Progress {
        if self.input.complete() == 0 {
            return Progress::Waits;
        }
        let (taken, is_over) = self.input.take_line(reading.left(), sink);
        reading.taken += taken;
        if !is_over && reading.left() == 0 {
            // A file that ends where the buffer does is no second read of nothing.
            self.input.skip_silent_end();
        }
        Progress::Over
    }

    fn read_raw(&mut self, reading: &mut Reading, sink: &mut dyn FnMut(&[u8]) -> usize) -> Progress {
        let (minimum, wait) = self.patience();
        if minimum > AT_ONCE {
            reading.wanted = reading.wanted.min(AT_ONCE);
        }
        let offered = reading.left().min(self.input.len());
        let ends = self.ends_file(reading, offered);
        let offered = offered - usize::from(ends);
        let taken = self.input.take(offered, sink);
        reading.taken += taken;
        if ends && taken == offered {
            self.input.drop_last(1);
            return Progress::Over;
        }
        let enough = minimum.min(reading.wanted);
        match wait {
            _ if taken < offered || reading.taken >= enough.max(1) => Progress::Over,
            Progress::WaitsForNext(_) if reading.taken == 0 => Progress::Waits,
            Progress::WaitsInAll(0) => Progress::Over,
            wait => wait,
        }
    }

    /// Whether the last of the offered bytes ends the file where lines were edited outside: it is not delivered if
    /// Linux would find it alone in its buffer.
    fn ends_file(&self, reading: &Reading, offered: usize) -> bool {
        let end = self.attributes.character(Character::EndOfFile);
        let is_alone = offered == self.input.len() && (reading.taken + offered) % AT_ONCE == 1;
        self.attributes.is_canonical() && is_alone && self.input.last() == Some(end)
    }

    /// How many bytes a read in raw mode waits for, and how. Lines that were edited outside have no minimum.
    fn patience(&self) -> (usize, Progress) {
        let (minimum, time) = self.minimum_and_time();
        match (minimum, time) {
            _ if self.attributes.is_canonical() => (1, Progress::Waits),
            (0, time) => (1, Progress::WaitsInAll(time)),
            (minimum, 0) => (minimum.into(), Progress::Waits),
            (minimum, time) => (minimum.into(), Progress::WaitsForNext(time)),
        }
    }

    const fn minimum_and_time(&self) -> (u8, u8) {
        (self.attributes.character(Character::Minimum), self.attributes.character(Character::Time))
    }

    /// Whether the slave can read, as poll(2) sees it: a line, or VMIN bytes where VTIME is 0.
    #[must_use]
    pub fn slave_is_readable(&self) -> bool {
        if self.attributes.edits() {
            return self.input.complete() > 0;
        }
        let enough = match self.minimum_and_time() {
            (minimum, 0) => usize::from(minimum.max(1)),
            _ => 1,
        };
        self.input.len() >= enough
    }

    /// Bytes that the slave can read (FIONREAD): of complete lines in canonical mode.
    #[must_use]
    pub fn input_available(&self) -> usize {
        if self.attributes.edits() { self.input.deliverable() } else { self.input.len() }
    }
}
