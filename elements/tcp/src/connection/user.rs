//! What a program does with a connection: RFC 9293, 3.9.1; recv(2), and its options.

use alloc::vec::Vec;

use bytes::Bytes;
use unfilled::Unfilled;

use super::{Connection, Marks};
use crate::{Error, State, congestion::Congestion, context::Context};

impl<C: Congestion> Connection<C> {
    /// How many bytes may be read in one go: up to the urgent mark. None at the stream's end.
    #[inline(always)]
    fn readable(&mut self) -> Result<usize, Error> {
        self.skip_urgent();
        let length = self.receive.queue.len();
        if length > 0 {
            let read = self.read_at();
            let mark = self.rare.as_ref().and_then(|rare| rare.urgent).map(|urgent| urgent.at);
            let until = mark.filter(|mark| mark.is_behind(read)).map_or(length, |mark| (mark - read) as usize);
            return Ok(length.min(until));
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        match self.state {
            _ if self.is(Marks::FIN_RECEIVED | Marks::READ_SHUT) => Ok(0),
            State::SynSent | State::SynReceived => Err(Error::WouldBlock),
            State::Closed if !self.is(Marks::OPENED) => Err(Error::NotConnected),
            State::Closed => Ok(0),
            _ => Err(Error::WouldBlock),
        }
    }

    /// Whether a read would have to wait: asked before anything else, as readers ask more often than there is
    /// something.
    pub fn is_dry(&self) -> bool {
        let open = self.state == State::Established && !self.is(Marks::FIN_RECEIVED | Marks::READ_SHUT);
        open && self.receive.queue.is_empty() && self.error.is_none()
    }

    /// At the mark: the byte is not of the stream, unless it is in line.
    fn skip_urgent(&mut self) {
        let read = self.read_at();
        let Some(urgent) = self.rare.as_ref().and_then(|rare| rare.urgent) else { return };
        if urgent.at.is_before(read) {
            self.rare().urgent = None;
        } else if urgent.at == read && !self.settings.urgent_inline && self.receive.queue.len() > 1 {
            self.receive.queue.skip(1);
            self.rare().urgent = None;
        }
    }

    pub fn read(&mut self, cx: &mut Context<'_>, to: &mut [u8]) -> Result<usize, Error> {
        let count = self.readable()?.min(to.len());
        let before = self.receive.queue.len();
        let count = self.receive.queue.read(&mut to[..count]);
        self.after_reading(cx, before);
        Ok(count)
    }

    pub fn peek(&self, offset: usize, to: &mut [u8]) -> Result<usize, Error> {
        let count = self.receive.queue.peek(offset, to);
        if count > 0 || to.is_empty() {
            return Ok(count);
        }
        match self.error {
            Some(error) => Err(error),
            None if self.is(Marks::FIN_RECEIVED | Marks::READ_SHUT) || self.state == State::Closed => Ok(0),
            None => Err(Error::WouldBlock),
        }
    }

    pub fn take(&mut self, cx: &mut Context<'_>, most: usize, to: &mut Vec<Bytes>) -> Result<usize, Error> {
        let count = self.readable()?.min(most);
        let before = self.receive.queue.len();
        let mut left = count;
        while let Some(part) = self.receive.queue.take(left).filter(|part| !part.is_empty()) {
            left -= part.len();
            to.push(part);
            if left == 0 {
                break;
            }
        }
        self.after_reading(cx, before);
        Ok(count - left)
    }

    /// As [`Connection::read`] where `short` has room for all, else as [`Connection::take`].
    pub fn read_or_take(
        &mut self,
        cx: &mut Context<'_>,
        most: usize,
        short: &mut Unfilled<'_>,
        to: &mut Vec<Bytes>,
    ) -> Result<(), Error> {
        let count = self.readable()?.min(most);
        if count > short.room() {
            return self.take(cx, most, to).map(drop);
        }
        let before = self.receive.queue.len();
        self.receive.queue.fill(short, count);
        self.after_reading(cx, before);
        Ok(())
    }

    /// The window may be wider now, and an acknowledgment wanted: Linux tells when the window would double.
    #[inline(always)]
    fn after_reading(&mut self, cx: &mut Context<'_>, before: usize) {
        let taken = before - self.receive.queue.len();
        if taken == 0 {
            return;
        }
        cx.shared.memory -= taken;
        self.tune(cx, taken as u32);
        if !self.is_synchronized() || self.state == State::TimeWait || self.is(Marks::FIN_RECEIVED) {
            return;
        }
        let drained = self.receive.queue.is_empty() && self.is(Marks::PUSHED) && !self.is(Marks::INTERACTIVE);
        if self.is(Marks::ACK_PENDING) && (drained || self.owes_several()) || self.would_double() {
            self.emit_acknowledgment(cx);
        }
        if self.receive.queue.is_empty() {
            self.marks.remove(Marks::PUSHED);
        }
    }

    fn would_double(&self) -> bool {
        let offered = self.receive.window_end - self.receive.next;
        let space = self.receive.limit.saturating_sub(self.receive.queue.len() as u32);
        let most = self.settings.window_clamp.unwrap_or(u32::MAX).min(u32::from(u16::MAX) << self.receive.shift);
        let space = space.min(most);
        let step = u32::from(self.receive.size).min(self.receive.limit / 2);
        space >= offered.saturating_mul(2) && space >= offered.saturating_add(step)
    }

    /// The limit follows what the reader takes in a round trip.
    fn tune(&mut self, cx: &Context<'_>, taken: u32) {
        let round_trip = match self.receive.round_trip {
            0 => self.send.round_trip.smoothed(),
            round_trip => round_trip,
        };
        let wanted = self.receive.tuning.taken(taken, cx.now, round_trip);
        if self.settings.receive_limit.is_none() && !cx.shared.is_short() {
            let wanted = wanted.unwrap_or(0).min(cx.shared.limits.receive_window);
            self.receive.limit = self.receive.limit.max(wanted);
        }
    }

    /// MSG_OOB: recv(2).
    pub fn read_urgent(&mut self, keep: bool) -> Result<u8, Error> {
        let read = self.read_at();
        let urgent = self.rare.as_ref().and_then(|rare| rare.urgent);
        let Some(urgent) = urgent.filter(|urgent| !urgent.read && read.is_at_most(urgent.at)) else {
            return Err(Error::NoUrgent);
        };
        if self.settings.urgent_inline {
            return Err(Error::NoUrgent);
        }
        let mut byte = [0];
        if self.receive.queue.peek((urgent.at - read) as usize, &mut byte) == 0 {
            return Err(Error::WouldBlock);
        }
        if !keep {
            self.rare().urgent = Some(super::Urgent { read: true, ..urgent });
        }
        Ok(byte[0])
    }

    /// SIOCATMARK.
    pub fn at_mark(&self) -> bool {
        let urgent = self.rare.as_ref().and_then(|rare| rare.urgent);
        urgent.is_some_and(|urgent| urgent.at == self.read_at())
    }

    /// Its options are others: what they hold back may go, and timers may run.
    pub fn settings_changed(&mut self, cx: &mut Context<'_>) {
        if self.state == State::Closed {
            return;
        }
        if let Some(limit) = self.settings.receive_limit {
            self.receive.limit = limit;
        }
        if self.is_synchronized() {
            self.set_size();
        }
        if self.settings.no_delay && self.unsent() > 0 {
            // What was held back goes, corked or not: tcp(7) says so of TCP_NODELAY.
            self.marks.insert(Marks::PUSH);
        }
        if self.settings.quick_acknowledge && self.is(Marks::ACK_PENDING) {
            self.marks.insert(Marks::ACK_NOW);
        }
        self.set_stamps();
        self.set_keepalive(cx.now);
        self.output(cx);
    }
}
