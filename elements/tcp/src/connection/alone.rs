//! The write that nearly every request and answer is: a short one, when all before has been sent, and nothing holds it
//! back. It is done here in few steps; [`Connection::output`] would do the same.

use packets::{
    Head,
    tcp::{Flags, HEADER, Header, Timestamps},
};

use super::{Connection, Marks};
use crate::{
    Settings, State, Usual, WriteFlags, congestion::Congestion, context::Context, info::Phase, send::OVERHEAD,
};

/// A header with timestamps.
#[derive(zerocopy::IntoBytes, zerocopy::Immutable)]
#[repr(C)]
struct Both {
    header: [u8; HEADER],
    clocks: [u8; 12],
}

impl<C: Congestion> Connection<C> {
    /// Queues a copy of bytes and sends it as one segment; `false`: it is another write, and nothing was done.
    pub(super) fn write_alone(&mut self, cx: &mut Context<'_>, data: &mut Head, flags: WriteFlags) -> bool {
        let length = data.len();
        if !flags.is_empty() || !self.has_sent_all() || !self.is_plain() || !self.fits_alone(cx, length) {
            return false;
        }
        self.send.queue.push(data.bytes());
        cx.shared.memory += length;
        self.send.pushed = self.send.queue.end();
        self.restart_after_idle(cx);
        let sent = self.emit_usual(cx, data) || self.send_one(cx, length as u32, Flags::empty());
        if sent {
            self.note_in_flight();
            self.set_timer(cx);
        } else {
            self.note_refusal();
            self.wait_for_window(cx);
        }
        self.note_hold(cx);
        true
    }

    /// Sends one segment of bytes that are the last ones in the queue, if it is as most are and its way is known;
    /// `false`: it is another, and nothing was done. Their memory goes with it.
    #[inline(always)]
    fn emit_usual(&mut self, cx: &mut Context<'_>, data: &mut Head) -> bool {
        let length = data.len();
        let others = Marks::NOTIFIED.union(Marks::ECHO).union(Marks::REDUCED).union(Marks::PATH_PROBE);
        let Some(ends) = self.tuple.ends_v4().filter(|_| !self.is(others)) else { return false };
        let (window_end, window) = (self.receive.window_end, self.offer(cx));
        let (header, header_length) = self.usual_header(cx, window);
        let Settings { traffic_class, hop_limit, .. } = *self.settings;
        let traffic_class = traffic_class & !3;
        let segment = Usual { ends, traffic_class, hop_limit, header: &header, header_length, payload: data };
        if !cx.network.send_usual(cx.now, segment) {
            self.receive.window_end = window_end;
            return false;
        }
        cx.shared.statistics.segments_sent += 1;
        self.marks.remove(Marks::REFUSED);
        self.acknowledged_theirs(cx, true);
        self.note_sent(cx, length as u32, (false, true));
        true
    }

    /// Its header, which asks to read the bytes soon, and how long it is with its options.
    #[inline(always)]
    fn usual_header(&self, cx: &Context<'_>, window: u16) -> ([u8; Usual::HEADER], usize) {
        let clocks = Timestamps { value: self.clock(cx.millis()), echo: self.receive.recent }.alone();
        let options = if self.is(Marks::TIMESTAMPS) { clocks.len() } else { 0 };
        let ports = (self.tuple.local_port, self.tuple.remote_port);
        let mut header = Header::new(ports, self.send.next, self.receive.next, Flags::ACK | Flags::PSH, options);
        header.window = window.into();
        let header: [u8; HEADER] = zerocopy::transmute!(header);
        (zerocopy::transmute!(Both { header, clocks }), HEADER + options)
    }

    /// Nothing is queued or under way, and no end was asked for.
    pub(super) fn is_idle(&self) -> bool {
        self.has_sent_all() && self.send.queue.len() == 0
    }

    /// All that is queued is on its way, no end was asked for, and Nagle's rule holds nothing back.
    #[inline]
    fn has_sent_all(&self) -> bool {
        let send = &self.send;
        self.state == State::Established
            && send.next == send.queue.end()
            && (send.records.is_empty() || self.settings.no_delay && send.recovery.phase == Phase::Open)
            && send.pieces.first().is_none()
            && self.error.is_none()
    }

    /// Its program has asked for nothing that holds bytes back or wants to hear of them, and no path is searched.
    pub(super) fn is_plain(&self) -> bool {
        let settings = &*self.settings;
        !settings.cork
            && settings.pacing.is_none()
            && settings.moments.is_empty()
            && !self.is(Marks::SEARCHING.union(Marks::URGENT))
    }

    /// Whether so many bytes are one segment that the other side's window, the path and memory have room for. The queue
    /// is ready for more behind it.
    #[inline(always)]
    fn fits_alone(&self, cx: &Context<'_>, length: usize) -> bool {
        let held = self.send.queue.len() + length + (self.send.records.len() + 1) * OVERHEAD;
        (1..=usize::from(self.send.size)).contains(&length)
            && length as u32 <= self.window_room()
            && self.send.congestion.segments > self.in_flight()
            && held + held / 2 <= self.send_limit()
            && self.has_low_water(&cx.shared.limits, 2)
            && !cx.shared.is_full()
    }
}
