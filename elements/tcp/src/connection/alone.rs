//! The write that nearly every request and answer is: a short one, when all before has arrived, and nothing holds it back.
//! It is done here in few steps; [`Connection::output`] would do the same.

use packets::tcp::Flags;

use super::{Connection, Marks};
use crate::{State, WriteFlags, congestion::Congestion, context::Context, send::OVERHEAD};

impl<C: Congestion> Connection<C> {
    /// Queues a copy of bytes and sends it as one segment; `false`: it is another write, and nothing was done.
    pub(super) fn write_alone(&mut self, cx: &mut Context<'_>, data: &[u8], flags: WriteFlags) -> bool {
        if !flags.is_empty() || !self.is_idle() || !self.is_plain() || !self.fits_alone(cx, data.len()) {
            return false;
        }
        self.send.queue.push(data);
        cx.shared.memory += data.len();
        self.send.pushed = self.send.queue.end();
        self.send_new_alone(cx, data.len() as u32);
        self.note_hold(cx);
        true
    }

    fn send_new_alone(&mut self, cx: &mut Context<'_>, length: u32) {
        self.restart_after_idle(cx);
        if self.send_one(cx, length, Flags::empty()) {
            self.note_in_flight();
            self.set_timer(cx);
        } else {
            self.note_refusal();
            self.wait_for_window(cx);
        }
    }

    /// Nothing is queued or under way, and no end was asked for.
    pub(super) fn is_idle(&self) -> bool {
        self.state == State::Established
            && self.send.queue.len() == 0
            && self.send.records.is_empty()
            && self.send.pieces.first().is_none()
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

    /// Whether so many bytes are one segment that the other side's window, the path and memory have room for. The queue is
    /// ready for more behind it.
    fn fits_alone(&self, cx: &Context<'_>, length: usize) -> bool {
        let held = length + OVERHEAD;
        (1..=usize::from(self.send.size)).contains(&length)
            && length as u32 <= self.window_room()
            && self.send.congestion.segments > self.in_flight()
            && held + held / 2 <= self.send_limit()
            && self.has_low_water(&cx.shared.limits, 2)
            && !cx.shared.is_full()
    }
}
