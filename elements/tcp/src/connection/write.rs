//! What a program writes: send(2); how much of it is taken, and when.

use bytes::Bytes;
use packets::Head;

use super::{Connection, Marks, lengths::LONGEST};
use crate::{
    Error, Limits, State, WriteFlags,
    congestion::{Congestion, FIRST},
    context::Context,
    send::OVERHEAD,
};

/// What a send queue may hold at the least, in bytes of memory, as Linux has it: less, and bytes that are written one
/// by one would go one in a round trip.
const LEAST_LIMIT: u32 = 4_608;
/// What a send queue may hold while the machine is short of memory, in bytes.
const SHORT_LIMIT: u32 = 87_040;
/// What it may hold when the machine's memory is used up, in bytes: Linux' least `tcp_wmem`.
const HARD_LIMIT: usize = 4_096;
/// A window up to this is not halved: RFC 9293, 3.7.1.
const SMALL_WINDOW: u32 = 536;

impl<C: Congestion> Connection<C> {
    /// What the send queue may hold, in bytes of memory. One piece more is taken where there is room left.
    pub fn send_limit(&self) -> usize {
        self.settings.send_limit.map_or(self.send.limit, |limit| limit.max(LEAST_LIMIT)) as usize
    }

    /// The memory that the send queue takes, as Linux counts it.
    #[inline]
    pub fn charge(&self) -> usize {
        // Nearly always all is sent.
        let end = self.send.queue.end();
        let unsent = if end == self.send.next { 0 } else { self.send.pieces.count(self.send.next, end) };
        self.send.queue.len() + (self.send.records.len() + unsent) * OVERHEAD
    }

    /// Lets the send queue grow: two congestion windows of full segments, so that it does not run dry.
    pub fn widen_queue(&mut self, cx: &Context<'_>) {
        if cx.shared.is_short() {
            return;
        }
        let segment = u32::from(self.send.most.max(self.send.size)).saturating_add(640).next_power_of_two() + 256;
        let segments = self.send.congestion.segments.max(FIRST);
        let wanted = segments.saturating_mul(2).saturating_mul(segment);
        self.send.limit = self.send.limit.max(wanted.min(cx.shared.limits.send_queue));
    }

    /// Whether little enough is unsent, `times` counted.
    pub fn has_low_water(&self, limits: &Limits, times: u32) -> bool {
        let low = self.settings.unsent_low_water.unwrap_or(limits.unsent_low_water);
        low == u32::MAX || self.unsent().saturating_mul(times) < low
    }

    /// The length of a whole piece: half a window at most, so that one packet is acknowledged while another is on its
    /// way.
    fn whole_piece(&self) -> u32 {
        let (window, size) = (self.send.largest_window, u32::from(self.send.size));
        let longest = if window > SMALL_WINDOW { LONGEST.min(window / 2) } else { LONGEST };
        (longest / size * size).max(size)
    }

    /// Whether its program may write at all, room or not.
    fn may_write(&mut self) -> Result<(), Error> {
        match self.state {
            State::SynSent | State::SynReceived => {
                self.marks.insert(Marks::WANTS_ROOM);
                Err(Error::WouldBlock)
            }
            _ if self.error.is_some() => Err(self.error.take().unwrap_or(Error::Closed)),
            State::Closed if !self.is(Marks::OPENED) => Err(Error::NotConnected),
            State::Established | State::CloseWait => Ok(()),
            _ => Err(Error::Closed),
        }
    }

    /// How many bytes the open piece still takes, or a new one; `None`: there is no room for another.
    fn piece_room(&mut self, cx: &Context<'_>) -> Option<usize> {
        let end = self.send.queue.end();
        let (open, whole) = (self.send.pieces.open(self.send.next, end), self.whole_piece());
        if cx.shared.is_full() {
            return (self.send.queue.len() == 0).then_some((whole as usize).min(HARD_LIMIT));
        }
        if (1..whole).contains(&open) {
            return Some((whole - open) as usize);
        }
        let limit = self.send_limit();
        let limit = if cx.shared.is_short() { limit.min(SHORT_LIMIT as usize) } else { limit };
        if self.charge() >= limit || !self.has_low_water(&cx.shared.limits, 1) {
            return None;
        }
        if open > 0 {
            self.send.pieces.close(end, self.send.pushed == end);
        }
        Some(whole as usize)
    }

    /// How many bytes a write takes at least, for a writer that has yet to get them: little room is none, for a small
    /// write costs as much.
    pub fn room(&mut self, cx: &Context<'_>) -> Result<usize, Error> {
        self.may_write()?;
        match self.piece_room(cx).filter(|_| self.has_room(&cx.shared.limits)) {
            Some(room) => Ok(room),
            None => self.wait_for_room(cx),
        }
    }

    fn wait_for_room<T>(&mut self, cx: &Context<'_>) -> Result<T, Error> {
        self.marks.insert(Marks::WANTS_ROOM);
        self.note_hold(cx);
        Err(Error::WouldBlock)
    }

    /// As [`Connection::write`], in few steps if it is as most are: the packet is made where the bytes are, which goes
    /// with it.
    pub fn write_head(&mut self, cx: &mut Context<'_>, data: &mut Head, flags: WriteFlags) -> Result<usize, Error> {
        let length = data.len();
        if self.write_alone(cx, data, flags) { Ok(length) } else { self.write(cx, data.bytes(), flags) }
    }

    /// Queues a copy of bytes.
    pub fn write(&mut self, cx: &mut Context<'_>, data: &[u8], flags: WriteFlags) -> Result<usize, Error> {
        self.write_pieces(cx, data.len(), flags, |connection, from, count| {
            connection.send.queue.push(&data[from..from + count]);
        })
    }

    /// Queues bytes, and shares their memory.
    pub fn write_bytes(&mut self, cx: &mut Context<'_>, data: &Bytes, flags: WriteFlags) -> Result<usize, Error> {
        self.write_pieces(cx, data.len(), flags, |connection, from, count| {
            let bytes = data.slice(from..from + count);
            if flags.contains(WriteFlags::LENT) {
                connection.note_lent();
                connection.send.queue.push_lent(bytes);
            } else {
                connection.send.queue.push_shared(bytes);
            }
        })
    }

    /// Takes as many pieces as there is room for. What is full goes on its way while the rest comes.
    fn write_pieces(
        &mut self,
        cx: &mut Context<'_>,
        all: usize,
        flags: WriteFlags,
        mut push: impl FnMut(&mut Self, usize, usize),
    ) -> Result<usize, Error> {
        self.may_write()?;
        self.marks.set(Marks::MORE, flags.contains(WriteFlags::MORE));
        let mut done = 0;
        while done < all {
            let Some(room) = self.piece_room(cx) else { break };
            let count = room.min(all - done);
            push(self, done, count);
            cx.shared.memory += count;
            done += count;
            if count == room && done < all {
                self.piece_is_full(cx);
            }
        }
        if done == 0 && all > 0 {
            self.marks.remove(Marks::MORE);
            return self.wait_for_room(cx);
        }
        self.written(cx, done, all, flags);
        Ok(done)
    }

    /// A piece is full and more comes. It goes if it is the first one; and after half a window the other side is asked
    /// to read, or it might wait for a window's end that is far.
    fn piece_is_full(&mut self, cx: &mut Context<'_>) {
        let end = self.send.queue.end();
        let far = end.distance_from(self.send.pushed).max(0) as u32 > self.send.largest_window / 2;
        if far {
            self.send.pushed = end;
        }
        if far || self.send.pieces.first().is_none() {
            self.output(cx);
        }
    }

    fn written(&mut self, cx: &mut Context<'_>, count: usize, all: usize, flags: WriteFlags) {
        let (end, whole) = (self.send.queue.end(), count == all && count > 0);
        if count < all {
            self.marks.insert(Marks::WANTS_ROOM);
        }
        if count < all || !flags.contains(WriteFlags::MORE) {
            self.send.pushed = end;
        }
        if whole && flags.contains(WriteFlags::URGENT) {
            self.marks.insert(Marks::URGENT);
            self.send.urgent = end;
        }
        if count > 0 {
            self.stamp_written();
        }
        if whole && flags.contains(WriteFlags::END) {
            self.send.pieces.close(end, true);
        }
        self.output(cx);
        if !self.has_room(&cx.shared.limits) {
            self.marks.insert(Marks::NO_ROOM);
        }
        // It is said of this write alone: what Nagle's rule lets go later goes.
        self.marks.remove(Marks::MORE);
    }
}
