//! What may be sent, and when: windows, Nagle and cork (RFC 9293, 3.7.4 and 3.8.6.2.1; RFC 1122, 4.2.3.4).

use packets::tcp::{Flags, SequenceNumber};

use super::{Connection, Marks, NEVER, Timer, lengths::LONGEST};
use crate::{
    State,
    congestion::Congestion,
    context::Context,
    info::Phase,
    send::{Fate, Record},
    wire,
};

/// The most records, against small writes without end. The congestion window ends most of them before.
const MOST_RECORDS: usize = 16_384;
/// A round trip of a path that is short, in microseconds.
const SHORT_PATH: u32 = 1_000;

impl<C: Congestion> Connection<C> {
    /// Sends what may be sent, and an acknowledgment if one is owed at once.
    #[inline(always)]
    pub fn output(&mut self, cx: &mut Context<'_>) {
        if self.has_nothing_to_send() {
            if self.in_flight() >= self.send.congestion.segments {
                self.note_in_flight();
            }
        } else if self.is_synchronized() && self.state != State::TimeWait && !self.gathers(cx) {
            let records = self.send.records.sent + self.send.records.retransmitted;
            if !self.holds_repairs() {
                self.repair(cx);
            }
            self.send_new(cx, false);
            if self.send.records.sent + self.send.records.retransmitted != records {
                self.set_timer(cx);
            }
        }
        if self.is(Marks::ACK_NOW) {
            self.emit_acknowledgment(cx);
        }
        self.note_hold(cx);
    }

    /// Nothing new, nothing to be sent again, and no probe of the path: what most looks here find.
    fn has_nothing_to_send(&self) -> bool {
        self.state == State::Established
            && self.unsent() == 0
            && self.send.records.lost == 0
            && !self.is(Marks::SEARCHING | Marks::FIN_QUEUED)
    }

    /// Segments on their way. Without SACK each duplicate stands for one that has arrived (RFC 5681, 3.2).
    pub fn in_flight(&self) -> u32 {
        self.send.records.in_flight().saturating_sub(self.send.recovery.duplicates)
    }

    /// Bytes that are not sent yet.
    pub fn unsent(&self) -> u32 {
        let end = self.send.queue.end();
        if end.is_behind(self.send.next) { end - self.send.next } else { 0 }
    }

    /// FIN is to be sent.
    pub const fn owes_fin(&self) -> bool {
        self.is(Marks::FIN_QUEUED) && !self.is(Marks::FIN_SENT)
    }

    /// Bytes that the other side's window has room for.
    pub fn window_room(&self) -> u32 {
        (self.send.una + self.send.window).distance_from(self.send.next).max(0) as u32
    }

    /// Sends new data. `probe`: one segment whatever the congestion window says (RFC 8985, 7.3). Says whether anything
    /// was sent.
    pub fn send_new(&mut self, cx: &mut Context<'_>, probe: bool) -> bool {
        let mut sent = false;
        self.restart_after_idle(cx);
        if self.is(Marks::SEARCHING) && !probe {
            self.probe_path(cx);
        }
        while self.unsent() > 0 || self.owes_fin() {
            let quota = match self.send.congestion.segments.saturating_sub(self.in_flight()) {
                // The end costs the path little, and saves the other side a round trip.
                _ if probe || self.is_last_segment() => 1,
                // Half a window at most, so that acknowledgments come while there is more on its way.
                quota => quota.min((self.send.congestion.segments / 2).max(1)),
            };
            if quota == 0 {
                self.marks.insert(Marks::LIMITED);
                break;
            }
            if !probe && self.waits_for_pace(cx) {
                break;
            }
            let Some((length, fin)) = self.next_segment(quota, cx.shared.limits.least_burst) else { break };
            if !probe && self.waits_for_more(cx, length) {
                self.marks.insert(Marks::LIMITED);
                break;
            }
            if self.send.records.len() >= MOST_RECORDS {
                break;
            }
            let mut flags = if fin { Flags::FIN } else { Flags::empty() };
            flags.set(Flags::PSH, probe && length > 0 && self.has_short_path());
            if !self.send_one(cx, length, flags) {
                self.note_refusal();
                break;
            }
            sent = true;
            if probe {
                break;
            }
        }
        if sent || self.in_flight() >= self.send.congestion.segments {
            self.note_in_flight();
        }
        self.wait_for_window(cx);
        sent
    }

    /// Whether a delayed acknowledgment takes forty round trips. A loss probe asks to be read at once then: to a single
    /// full segment without PSH Linux answers after 40 ms, to one with it (6.7 on) as soon as it is read.
    fn has_short_path(&self) -> bool {
        self.send.round_trip.is_known() && self.send.round_trip.smoothed() < SHORT_PATH
    }

    /// Whether FIN and what goes with it are one segment.
    fn is_last_segment(&self) -> bool {
        self.owes_fin() && self.unsent() <= self.send.size.into()
    }

    /// A connection that was idle knows little of the path: RFC 5681, 4.1.
    #[inline(always)]
    pub(super) fn restart_after_idle(&mut self, cx: &Context<'_>) {
        let until = self.send.last_sent.plus_micros(self.send.round_trip.base_micros());
        let lasts = !cx.shared.limits.restarts_after_idle || cx.now <= until;
        if lasts || !self.send.records.is_empty() || self.unsent() == 0 || self.window_room() == 0 {
            return;
        }
        let idle = cx.now.since(self.send.last_sent);
        self.send.last_sent = cx.now;
        self.send.policy.resumed(cx.now.as_nanos(), idle.as_nanos() as u64);
        let window = &mut self.send.congestion;
        let mut left = idle;
        // RFC 2861: half for each timeout, and the threshold remembers.
        window.threshold = window.threshold.max(window.segments - window.segments / 4);
        while left > self.send.round_trip.base_timeout() && window.segments > crate::congestion::FIRST {
            window.segments = (window.segments / 2).max(crate::congestion::FIRST);
            left -= self.send.round_trip.base_timeout();
        }
    }

    /// Sends a packet of one or more segments, FIN and PSH with it if `flags` say so. Several are pushed, as Linux does
    /// (5.4 on): so a receiver that gathers segments hands them on with the last, and does not wait for more. `false`:
    /// it has not gone.
    pub fn send_one(&mut self, cx: &mut Context<'_>, length: u32, mut flags: Flags) -> bool {
        let start = self.send.next;
        let data_end = start + length;
        let fin = flags.contains(Flags::FIN);
        let border = self.send.pieces.first().filter(|border| border.at == data_end);
        let pushed = border.map_or(self.send.pushed == data_end, |border| border.push);
        if length > u32::from(self.send.size) || length > 0 && pushed {
            flags.insert(Flags::PSH);
        }
        if !self.emit(cx, start, length as usize, flags) {
            return false;
        }
        self.note_sent(cx, length, (fin, pushed));
        true
    }

    /// A packet of so many new bytes is on its way, FIN with it and pushed if that is said.
    #[inline(always)]
    pub(super) fn note_sent(&mut self, cx: &mut Context<'_>, length: u32, (fin, pushed): (bool, bool)) {
        let start = self.send.next;
        let data_end = start + length;
        let size = u32::from(self.send.size);
        if self.send.records.is_empty() {
            self.send.waiting_since = cx.now;
            let (now, last) = (cx.now.as_nanos(), self.send.last_sent.as_nanos());
            self.send.policy.resumed(now, now.saturating_sub(last));
        }
        let end = data_end + u32::from(fin);
        let segments = length.div_ceil(size).max(1) as u16;
        let fate = if pushed { Fate::PUSHED } else { Fate::empty() };
        self.send.records.push(Record { start, end, sent: cx.now, segments, size: self.send.size, fate });
        if !length.is_multiple_of(size) {
            self.send.small_until = data_end;
        }
        self.send.next = end;
        self.send.pieces.sent(end);
        if self.rare.is_some() {
            self.stamp_sent(cx);
        }
        self.send.last_sent = cx.now;
        if self.settings.pacing.is_some() {
            self.note_pace(cx, length, segments.into());
        }
        if let Some(episode) = &mut self.episode {
            episode.reduction.sent(segments.into());
        }
        if fin {
            self.marks.insert(Marks::FIN_SENT);
        }
        if self.unsent() == 0 {
            self.marks.remove(Marks::PUSH);
        }
    }

    /// This machine itself is congested: the window shrinks as if a router had said so. Linux does the same.
    pub(super) fn note_refusal(&mut self) {
        if matches!(self.send.recovery.phase, Phase::Open | Phase::Disorder) {
            self.reduce(self.in_flight());
        }
    }

    /// Keeps the most that was in flight in a round trip: RFC 7661 wants to know whether the window was used.
    #[inline(always)]
    pub(super) fn note_in_flight(&mut self) {
        let sent = self.send.records.sent;
        if self.send.most_until.is_at_most(self.send.una) || sent > self.send.most_in_flight {
            self.send.most_in_flight = sent;
            self.send.most_until = self.send.next;
            let full = self.in_flight() >= self.send.congestion.segments;
            self.marks.set(Marks::LIMITED, full);
        }
    }

    /// With nothing on its way no acknowledgment will come: a timer must go on, if anything is queued.
    pub(super) fn wait_for_window(&mut self, cx: &Context<'_>) {
        let nothing = self.unsent() == 0 && !self.owes_fin();
        if !self.send.records.is_empty() || nothing || self.is(Marks::PACED) {
            return;
        }
        let open = self.window_room() >= self.unsent().min(self.send.size.into());
        let held = open && self.unsent() > 0 && !self.is(Marks::REFUSED);
        if held && self.send.timer_at == NEVER {
            (self.send.timer, self.send.timer_at) = (Timer::Cork, cx.now + self.send.round_trip.base_timeout());
        } else if self.send.timer_at == NEVER || self.send.timer != Timer::Persist && !held {
            let wait = self.send.round_trip.timeout();
            (self.send.timer, self.send.timer_at) = (Timer::Persist, cx.now + wait);
        }
    }

    /// Sends again what is lost, as far as the congestion window allows.
    fn repair(&mut self, cx: &mut Context<'_>) {
        while self.send.records.lost > 0 {
            let quota = self.send.congestion.segments.saturating_sub(self.in_flight());
            let Some(index) = self.first_lost().filter(|_| quota > 0) else { return };
            if self.waits_for_pace(cx) {
                return;
            }
            if !self.send_again(cx, index, quota) {
                return;
            }
        }
    }

    /// The first record that is lost and not sent again.
    fn first_lost(&mut self) -> Option<usize> {
        let records = &self.send.records;
        let mut index = records.find(self.send.repair_from);
        while let Some(record) = records.get(index) {
            if record.fate.contains(Fate::LOST) && !record.fate.contains(Fate::RETRANSMITTED) {
                self.send.repair_from = record.start;
                return Some(index);
            }
            index += 1;
        }
        self.send.repair_from = self.send.next;
        None
    }

    /// Sends a record again, of it at most so many segments. `false`: the other side has no room for it any more, or
    /// this one has none now.
    pub fn send_again(&mut self, cx: &mut Context<'_>, index: usize, segments: u32) -> bool {
        let headers = wire::header_length(self.is(Marks::TIMESTAMPS));
        let burst =
            (self.path.burst as usize).saturating_sub(headers).min(LONGEST as usize) / usize::from(self.send.size);
        let burst = if self.is(Marks::URGENT) { 1 } else { burst as u32 };
        self.send.records.split_after(index, segments.min(burst).max(1));
        let Some(&record) = self.send.records.get(index) else { return false };
        let window_end = self.send.una + self.send.window;
        if record.start != self.send.una && !record.start.is_at_most(window_end) {
            return false;
        }
        let data_end = self.send.queue.end();
        let fin = record.end.is_behind(data_end);
        let length = record.end.earlier(data_end).distance_from(record.start).max(0) as usize;
        let mut flags = Flags::empty();
        flags.set(Flags::FIN, fin);
        flags.set(Flags::PSH, length > 0 && (record.segments > 1 || record.fate.contains(Fate::PUSHED)));
        if !self.emit(cx, record.start, length, flags) {
            return false;
        }
        self.note_again(cx, index, record.segments.into());
        self.note_pace(cx, length as u32, record.segments.into());
        true
    }

    fn note_again(&mut self, cx: &mut Context<'_>, index: usize, segments: u32) {
        self.send.records.change(index, |record| {
            record.sent = cx.now;
            record.fate.insert(Fate::REPEATED);
            if record.fate.contains(Fate::LOST) {
                record.fate.insert(Fate::RETRANSMITTED);
            }
        });
        let clock = self.clock(cx.millis());
        if let Some(episode) = &mut self.episode {
            episode.undo.retransmitted(segments, clock);
            episode.reduction.sent(segments);
        }
        self.send.last_sent = cx.now;
        self.rare().retransmitted += segments;
        cx.shared.statistics.segments_retransmitted += u64::from(segments);
    }

    /// Losses may lie before what was looked at.
    pub fn look_again_from(&mut self, at: SequenceNumber) {
        self.send.repair_from = self.send.repair_from.earlier(at);
    }
}
