//! What is known of one site.

use crate::{Kind, Left};

/// What was said of a site before it trapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Told {
    /// Nothing.
    #[default]
    Nothing,
    /// It has proven itself in another run.
    Proven,
    /// It is to be left alone.
    Excepted,
}

/// What has become of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing yet.
    Counted,
    /// The patch that begins at this address.
    Rewritten(u64),
    /// It keeps trapping.
    Left(Left),
}

/// A site that has trapped, or calls by itself.
#[derive(Clone, Debug)]
pub struct Found {
    /// Traps, all of them.
    pub traps: u64,
    /// Calls by what was written for it, or of its own, as far as they are counted.
    pub calls: u64,
    /// Traps since it became what it is.
    pub since: u32,
    /// The number it trapped with, if that was the same each time.
    pub number: Option<u32>,
    pub state: State,
    /// Whether another run has proven it, and nothing speaks against that yet.
    proven: bool,
}

impl Found {
    pub fn new(number: u32, told: Told) -> Self {
        let state = if told == Told::Excepted { State::Left(Left::Excepted) } else { State::Counted };
        Self { traps: 0, calls: 0, since: 0, number: Some(number), state, proven: told == Told::Proven }
    }

    /// How many traps are enough to rewrite it, if most sites need so many.
    pub const fn enough(&self, usual: u32) -> u32 {
        if self.proven { 1 } else { usual }
    }

    pub fn trapped(&mut self, number: u32) {
        self.traps += 1;
        self.since = self.since.saturating_add(1);
        self.number = self.number.filter(|&known| known == number);
    }

    pub fn called(&mut self, number: u32) {
        self.calls += 1;
        self.number = self.number.filter(|&known| known == number);
    }

    pub const fn set(&mut self, state: State) {
        self.since = 0;
        self.state = state;
        // If it comes to be counted again, what was said of it did not hold.
        self.proven = false;
    }

    pub const fn seen(&self, at: u64, kind: Option<Kind>) -> Seen {
        let left = match self.state {
            State::Left(left) => Some(left),
            _ => None,
        };
        Seen { at, traps: self.traps, calls: self.calls, kind, left }
    }
}

/// Calls that are no site's, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// Traps outside of what may be rewritten.
    pub elsewhere: u64,
    /// Traps and calls of sites that were forgotten, because their code is gone or became writable.
    pub gone: [u64; 2],
}

/// A site, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The address of the `syscall`.
    pub at: u64,
    /// How often it has trapped.
    pub traps: u64,
    /// How often it was a call, if that is counted.
    pub calls: u64,
    /// What stands in its place, if that has proved itself.
    pub kind: Option<Kind>,
    /// Why it keeps trapping, if it was given up.
    pub left: Option<Left>,
}

impl Seen {
    /// Whether the program was compiled to call there.
    #[must_use]
    pub const fn calls_by_itself(&self) -> bool {
        self.traps == 0 && self.calls > 0 && self.kind.is_none()
    }
}
