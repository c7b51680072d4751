//! The slave reads: by lines, or as VMIN and VTIME say (termios(3)).

use crate::termios::Character;
use crate::{Changes, Discipline};

/// Linux reads into a buffer of so many bytes, and a read that waits for more (VMIN) gets no more than that.
const AT_ONCE: usize = 64;

/// How long a read waits. Times are tenths of a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// For more input, for ever.
    ForEver,
    /// So long, from when it began (VMIN is 0).
    InAll(u8),
    /// So long, from when the last byte came.
    ForNext(u8),
}

impl Discipline {
    /// How a read of `wanted` bytes waits; `None` if all is there that it waits for.
    #[must_use]
    pub fn waits_for(&self, wanted: usize) -> Option<Wait> {
        if wanted == 0 {
            return None;
        }
        if self.attributes.edits() {
            return (self.input.complete() == 0).then_some(Wait::ForEver);
        }
        let (minimum, wait) = self.patience();
        let there = self.input.len();
        match wait {
            _ if there >= minimum.min(wanted).min(AT_ONCE) => None,
            Wait::ForNext(_) if there == 0 => Some(Wait::ForEver),
            Wait::InAll(0) => None,
            wait => Some(wait),
        }
    }

    /// Takes what is there for a read of `wanted` bytes, which ends, has waited long enough, or does not wait: at most
    /// so many, and none at the end of a file. `sink` may take less than it is offered. Answers how many it took.
    pub fn read(&mut self, wanted: usize, sink: &mut dyn FnMut(&[u8]) -> usize) -> usize {
        if wanted == 0 {
            return 0;
        }
        let before = self.input.len();
        let taken = if self.attributes.edits() { self.read_line(wanted, sink) } else { self.read_raw(wanted, sink) };
        if self.input.len() < before {
            self.changes |= Changes::MASTER_WRITABLE;
            self.with_output(Self::take_in_arriving);
        }
        taken
    }

    fn read_line(&mut self, wanted: usize, sink: &mut dyn FnMut(&[u8]) -> usize) -> usize {
        let (taken, is_over) = self.input.take_line(wanted, sink);
        if !is_over && taken == wanted {
            // A file that ends where the buffer does is no second read of nothing.
            self.input.skip_silent_end();
        }
        taken
    }

    fn read_raw(&mut self, wanted: usize, sink: &mut dyn FnMut(&[u8]) -> usize) -> usize {
        let most = if self.patience().0 > AT_ONCE { AT_ONCE } else { usize::MAX };
        let offered = wanted.min(most).min(self.input.len());
        let ends = self.ends_file(offered);
        let offered = offered - usize::from(ends);
        let taken = self.input.take(offered, sink);
        if ends && taken == offered {
            self.input.drop_last(1);
        }
        taken
    }

    /// Whether the last of the offered bytes ends the file where lines were edited outside: it is not delivered if
    /// Linux would find it alone in its buffer.
    fn ends_file(&self, offered: usize) -> bool {
        let end = self.attributes.character(Character::EndOfFile);
        let is_alone = offered == self.input.len() && offered % AT_ONCE == 1;
        self.attributes.is_canonical() && is_alone && self.input.last() == Some(end)
    }

    /// How many bytes a read in raw mode waits for, and how. Lines that were edited outside have no minimum.
    fn patience(&self) -> (usize, Wait) {
        let (minimum, time) = self.minimum_and_time();
        match (minimum, time) {
            _ if self.attributes.is_canonical() => (1, Wait::ForEver),
            (0, time) => (1, Wait::InAll(time)),
            (minimum, 0) => (minimum.into(), Wait::ForEver),
            (minimum, time) => (minimum.into(), Wait::ForNext(time)),
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
