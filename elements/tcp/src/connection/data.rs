//! Payload and FIN that have come: RFC 9293, 3.10.7.4, seventh and eighth; when to acknowledge: RFC 5681, 4.2.

use core::time::Duration;

use packets::tcp::{Flags, SequenceNumber};

use super::{Connection, Marks, NEVER, Urgent};
use crate::{State, congestion::Congestion, context::Context, receive, segment::Segment};

/// How long an acknowledgment may wait for company: RFC 9293, 3.8.6.3 says half a second at most, Linux 40 ms.
pub const DELAY: Duration = Duration::from_millis(40);
/// So many segments of a new connection are acknowledged at once, for its sender is in slow start.
pub const QUICK: u8 = 16;
/// So many bytes that nobody has read are acknowledged all the same, where a device puts segments together: a sender
/// whose window is large need not wait for its first quarter.
const TOGETHER: u32 = 256 << 10;

impl<C: Congestion> Connection<C> {
    /// Takes the payload and FIN of a segment that lies in the window, partly at least.
    pub fn take_payload(&mut self, cx: &mut Context<'_>, segment: &mut Segment) {
        if !matches!(self.state, State::Established | State::FinWait1 | State::FinWait2) {
            self.marks.insert(Marks::ACK_NOW);
            return;
        }
        let fresh = segment.end().is_behind(self.receive.next);
        if self.is(Marks::ORPHAN) && segment.length > 0 && fresh {
            // Nobody will read it: RFC 1122, 4.2.2.13. The reset is an answer to this segment: RFC 9293, 3.10.7.1.
            super::reset_reply(cx, &self.tuple, segment, self.path);
            return self.finish(cx, None);
        }
        if !self.trim(segment) || !self.has_memory(cx, segment) {
            self.marks.insert(Marks::ACK_NOW);
            return;
        }
        let fin = segment.has(Flags::FIN);
        let end = segment.sequence + segment.length;
        if segment.sequence == self.receive.next {
            self.take_next(cx, segment);
        } else {
            self.take_early(cx, segment);
        }
        if fin {
            self.rare().fin = Some(end);
        }
        if self.rare.as_ref().is_some_and(|rare| rare.fin == Some(self.receive.next)) {
            self.take_fin(cx);
        }
    }

    /// Cuts off what is known, and what is out of the window. `false`: nothing is left.
    fn trim(&mut self, segment: &mut Segment) -> bool {
        let next = self.receive.next;
        if segment.sequence.is_before(next) {
            let end = segment.sequence + segment.length;
            self.note_duplicate(segment.sequence, end.earlier(next));
            if segment.end().is_at_most(next) {
                return false;
            }
            let known = (next - segment.sequence).min(segment.length);
            receive::cut(segment.gather(), known as usize);
            segment.length -= known;
            segment.sequence = next;
        }
        let room = self.receive.window_end.distance_from(segment.sequence).max(0) as u32;
        if segment.length > room || segment.length == room && room == 0 && !segment.has(Flags::FIN) {
            segment.parts = receive::cut(segment.gather(), room as usize);
            segment.length = room;
            segment.flags.remove(Flags::FIN);
        }
        segment.span() > 0
    }

    /// With the machine's memory used up only who holds nothing gets something.
    fn has_memory(&mut self, cx: &mut Context<'_>, segment: &Segment) -> bool {
        let next = segment.sequence == self.receive.next;
        let refused = cx.shared.is_full() && segment.length > 0 && !(next && self.receive.queue.is_empty());
        if refused {
            cx.shared.statistics.memory_refusals += 1;
            let freed = self.receive.early.take().map_or(0, |mut early| early.clear());
            cx.shared.memory -= freed;
        }
        !refused
    }

    /// Takes the payload of a segment that lies beside it: the bytes that were awaited, and none has come before them.
    #[inline(always)]
    pub(super) fn take_usual_payload(&mut self, cx: &mut Context<'_>, segment: &Segment, payload: &[u8]) {
        self.count_next(cx, segment);
        self.receive.queue.push_copy(payload);
        self.tell_next(cx, segment, (false, false));
    }

    #[inline(always)]
    fn count_next(&mut self, cx: &mut Context<'_>, segment: &Segment) {
        self.measure_receiver(cx, segment);
        self.receive.next += segment.length;
        cx.shared.memory += segment.length as usize;
        self.totals.0 += u64::from(segment.length);
    }

    #[inline(always)]
    fn tell_next(&mut self, cx: &mut Context<'_>, segment: &Segment, (filled, together): (bool, bool)) {
        if segment.flags.contains(Flags::PSH) || segment.length < u32::from(self.receive.size) {
            self.marks.insert(Marks::PUSHED);
        }
        self.owe(cx, filled, together);
        self.tell(cx);
    }

    /// The bytes that were awaited, and those that follow them now.
    fn take_next(&mut self, cx: &mut Context<'_>, segment: &mut Segment) {
        if segment.length == 0 {
            return;
        }
        self.count_next(cx, segment);
        let together = segment.size < segment.length;
        if !segment.head.is_empty() {
            self.receive.queue.push_copy(segment.head.bytes());
        }
        for part in segment.parts.drain(..) {
            self.receive.queue.push(part);
        }
        let filled = self.receive.early.is_some() && self.take_what_follows(cx);
        self.tell_next(cx, segment, (filled, together));
    }

    /// Out-of-order bytes that are in order now. Says whether a gap was filled.
    fn take_what_follows(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(early) = self.receive.early.as_deref_mut() else { return false };
        let held = early.held();
        let mut filled = false;
        while let Some((next, bytes)) = early.take(self.receive.next) {
            self.totals.0 += u64::from(next - self.receive.next);
            self.receive.next = next;
            cx.shared.memory += bytes.len();
            self.receive.queue.append(bytes);
            filled = true;
        }
        cx.shared.memory -= held - early.held();
        let rest = !early.is_empty();
        if !rest {
            self.receive.early = None;
        }
        filled || rest
    }

    /// Bytes that came before others: acknowledged at once, so that the sender learns what is missing.
    fn take_early(&mut self, cx: &mut Context<'_>, segment: &mut Segment) {
        self.marks.insert(Marks::ACK_NOW);
        if segment.length == 0 {
            return;
        }
        let early = self.receive.early.get_or_insert_default();
        let held = early.held();
        let duplicate = early.insert(segment.sequence, core::mem::take(segment.gather()));
        cx.shared.memory += early.held() - held;
        if let Some((first, end)) = duplicate {
            self.note_duplicate(first, end);
        }
    }

    /// Segment size and round trip, as the receiver sees them.
    #[inline]
    fn measure_receiver(&mut self, cx: &Context<'_>, segment: &Segment) {
        let over = self.receive.heard.plus_micros(self.send.round_trip.timeout_micros());
        if cx.now > over && self.receive.heard != NEVER {
            // The sender begins anew: RFC 5681, 4.1. It wants to hear at once.
            self.receive.quick = QUICK;
            self.marks.remove(Marks::INTERACTIVE);
        }
        self.receive.heard = cx.now;
        let size = segment.size.min(u32::from(self.path.payload)) as u16;
        self.receive.size = self.receive.size.max(size);
        let clocks = segment.options.timestamps.filter(|clocks| self.is(Marks::TIMESTAMPS) && clocks.echo != 0);
        let Some(clocks) = clocks.filter(|_| segment.size >= u32::from(self.receive.size)) else { return };
        let millis = self.clock(cx.millis()).wrapping_sub(clocks.echo);
        if millis < 1 << 20 {
            let sample = millis.max(1) * 1000;
            let known = self.receive.round_trip;
            self.receive.round_trip = if known == 0 { sample } else { known - known / 8 + sample / 8 };
        }
    }

    /// An acknowledgment is owed: at once for the second full segment, at the beginning, and when a gap was filled. Of
    /// segments that a device has put together many may come before their reader runs: it is told when it has read,
    /// with the window that this makes, or the other side would get two for each.
    #[inline]
    fn owe(&mut self, cx: &Context<'_>, at_once: bool, together: bool) {
        let owed = self.receive.next - self.receive.told;
        let waits = together && owed < (self.receive.limit / 4).min(TOGETHER) && !self.window_advances(cx);
        let unread = self.receive.queue.len() >= self.settings.receive_low_water as usize;
        let several = self.owes_several() && !(waits && unread);
        let quick = self.receive.quick > 0 && !self.is(Marks::INTERACTIVE);
        if at_once || quick || self.settings.quick_acknowledge || several {
            self.marks.insert(Marks::ACK_NOW);
        } else if !self.is(Marks::ACK_PENDING) {
            self.marks.insert(Marks::ACK_PENDING);
            self.receive.owed_at = cx.now + DELAY;
        }
    }

    /// Whether more than a full segment is owed for. Where each side answers the other, an acknowledgment goes with the
    /// answer: it waits for two whole segments then, as RFC 9293, 3.8.6.3 lets it.
    #[inline]
    pub(super) fn owes_several(&self) -> bool {
        let (owed, size) = (self.receive.next - self.receive.told, u32::from(self.receive.size));
        if self.is(Marks::INTERACTIVE) { owed >= 2 * size } else { owed > size }
    }

    /// The other side sends no more.
    fn take_fin(&mut self, cx: &mut Context<'_>) {
        self.rare().fin = None;
        self.receive.next += 1;
        self.receive.window_end = self.receive.window_end.later(self.receive.next);
        self.marks.insert(Marks::FIN_RECEIVED);
        self.receive.early = None;
        match self.state {
            State::Established => {
                self.state = State::CloseWait;
                self.owe(cx, false, false);
            }
            State::FinWait1 => {
                self.state = State::Closing;
                self.marks.insert(Marks::ACK_NOW);
            }
            _ => {
                self.emit_acknowledgment(cx);
                self.enter_time_wait();
            }
        }
        self.tell(cx);
    }

    /// The urgent pointer has come: the byte before it is urgent, as all have it (RFC 6093, 3.1).
    pub fn note_urgent(&mut self, cx: &mut Context<'_>, segment: &Segment) {
        let at = segment.sequence + u32::from(segment.urgent.saturating_sub(1));
        let known = self.rare.as_ref().and_then(|rare| rare.urgent);
        let read = self.read_at();
        if at.is_before(read) || known.is_some_and(|known| at.is_at_most(known.at)) {
            return;
        }
        self.rare().urgent = Some(Urgent { at, read: false });
        self.tell(cx);
    }

    /// The number of the next byte to be read.
    pub fn read_at(&self) -> SequenceNumber {
        self.receive.next - u32::from(self.is(Marks::FIN_RECEIVED)) - self.receive.queue.len() as u32
    }
}
