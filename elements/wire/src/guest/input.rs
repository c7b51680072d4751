//! Standard input: asked for, not pushed.
//!
//! On a terminal exactly one read's worth is asked for, when the program reads, so that unread keys stay with the
//! host's terminal. Pipes and files are read ahead, from the first read on.

use machine::{ConsoleError, Readiness};

use super::{Link, header, ring::Ring};
use crate::{FromGuest, MAX_PAYLOAD, Piece};

/// Linux's EINTR, negated: the host's answer to a wish that was taken back.
const TAKEN_BACK: i32 = -4;

#[derive(Debug)]
pub(super) struct Input<'b> {
    ring: Ring<'b>,
    terminal: bool,
    wish: Wish,
    /// What the next read finds behind the bytes in the ring.
    ending: Option<Ending>,
    /// The host said that a read would not wait, and nothing was asked for since.
    readable: bool,
    /// The host will say so.
    watching: bool,
    /// The host has not said yet how it is now.
    asking: bool,
    /// The stream of frames is damaged: nothing will come.
    lost: bool,
}

/// What the host was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    None,
    /// At most so many bytes more are to come.
    Open(usize),
    /// Taken back; the answer has not come.
    TakenBack(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    End,
    Failed(i32),
}

impl<'b> Input<'b> {
    pub(super) const fn new() -> Self {
        Self {
            ring: Ring::new(),
            terminal: false,
            wish: Wish::None,
            ending: None,
            readable: false,
            watching: false,
            asking: false,
            lost: false,
        }
    }

    pub(super) fn set_terminal(&mut self, terminal: bool) {
        self.terminal = terminal;
    }

    pub(super) fn set_buffer(&mut self, storage: &'b mut [u8]) -> bool {
        let idle = self.ring.is_empty() && self.wish == Wish::None;
        if idle {
            self.ring.replace(storage);
        }
        idle
    }

    pub(super) const fn capacity(&self) -> usize {
        self.ring.capacity()
    }

    pub(super) const fn is_lost(&self) -> bool {
        self.lost
    }

    pub(super) fn end_for_ever(&mut self) {
        self.lost = true;
    }

    /// Throws away what was not read.
    pub(super) fn discard(&mut self) {
        self.ring.clear();
    }

    /// What the host said holds no more: with other attributes a terminal shows other keys, or none yet.
    pub(super) const fn forget_readiness(&mut self) {
        self.readable = false;
    }

    /// The host says how it is, or how it has become.
    pub(super) const fn told(&mut self, readable: bool) {
        self.asking = false;
        if readable {
            (self.readable, self.watching) = (true, false);
        }
    }

    /// Whether [`Input::readiness`] would know better when the answer has come.
    pub(super) const fn is_asking(&self) -> bool {
        self.asking && !self.lost
    }

    /// Whether the host said that a read would not wait, and nothing was asked for since.
    pub(super) const fn has_told(&self) -> bool {
        self.readable && !self.lost
    }

    /// Whether the host has not answered all that it was asked for.
    pub(super) fn is_wishing(&self) -> bool {
        self.wish != Wish::None && !self.lost
    }

    /// A part of the answer to a wish. Bytes that were not asked for are dropped.
    pub(super) fn arrived(&mut self, piece: &Piece<'_>) {
        let (Wish::Open(left) | Wish::TakenBack(left)) = &mut self.wish else { return };
        let wanted = &piece.payload[..piece.payload.len().min(*left)];
        *left -= wanted.len();
        self.ring.push(wanted);
        if !piece.last {
            return;
        }
        self.wish = Wish::None;
        // It may have been this input that the host told of, and nothing is known of what is behind it.
        self.readable = false;
        match piece.header.number {
            0 => self.ending = Some(Ending::End),
            TAKEN_BACK | 1.. => {}
            error => self.ending = Some(Ending::Failed(error.saturating_neg())),
        }
    }

    pub(super) fn read(&mut self, buffer: &mut [u8], link: &mut impl Link) -> Result<usize, ConsoleError> {
        let count = self.ring.pop(buffer);
        if count > 0 || buffer.is_empty() {
            if !self.terminal && self.ending.is_none() {
                self.read_ahead(link);
            }
            return Ok(count);
        }
        match self.ending.take() {
            Some(Ending::End) => return Ok(0),
            Some(Ending::Failed(error)) => return Err(ConsoleError::Host(error)),
            None if self.lost => return Ok(0),
            None => {}
        }
        if self.terminal {
            self.ask(buffer.len(), link);
        } else {
            self.read_ahead(link);
        }
        Err(ConsoleError::WouldBlock)
    }

    /// Asks for as much as there is room for, but not for crumbs.
    fn read_ahead(&mut self, link: &mut impl Link) {
        if self.ring.free() >= self.ring.capacity().div_ceil(2) {
            self.ask(MAX_PAYLOAD, link);
        }
    }

    fn ask(&mut self, limit: usize, link: &mut impl Link) {
        let limit = limit.min(self.ring.free()).min(MAX_PAYLOAD);
        if self.wish == Wish::None && limit > 0 && link.send(header(FromGuest::WantInput, 0, 0, limit as i32), &[]) {
            self.wish = Wish::Open(limit);
            self.readable = false;
        }
    }

    /// Pipes keep their wish: what it brings is read next time.
    pub(super) fn cancel(&mut self, link: &mut impl Link) {
        let Wish::Open(left) = self.wish else { return };
        if self.terminal && link.send(header(FromGuest::CancelInput, 0, 0, 0), &[]) {
            self.wish = Wish::TakenBack(left);
        }
    }

    pub(super) fn readiness(&mut self, link: &mut impl Link) -> Readiness {
        let readable = !self.ring.is_empty() || self.ending.is_some() || self.readable || self.lost;
        // An open wish is a watch of its own.
        if !readable && !self.watching && self.wish == Wish::None {
            self.watching = link.send(header(FromGuest::WantReadable, 0, 0, 0), &[]);
            self.asking = self.watching;
        }
        let ended = self.lost || self.ending == Some(Ending::End) && !self.terminal;
        Readiness { readable, writable: false, hangup: ended && self.ring.is_empty() }
    }
}
