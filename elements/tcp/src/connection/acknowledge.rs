//! What an acknowledgment changes: RFC 9293, 3.10.7.4; RFC 5961, 5.

use packets::tcp::{Flags, SequenceNumber};

use super::{Connection, Marks, NEVER};
use crate::{
    State,
    congestion::{Acknowledged, Congestion, ROUNDS_FROM},
    context::Context,
    info::Phase,
    recovery::DUPLICATES,
    segment::Segment,
    send::{Fate, Record},
};

/// What an acknowledgment has told, in segments.
#[derive(Clone, Copy, Debug, Default)]
pub struct News {
    /// It has moved.
    pub advanced: bool,
    /// Segments that have arrived, by the stream's acknowledgment or by SACK, and were not known to have.
    pub delivered: u32,
    /// Of these, by SACK.
    pub sacked: u32,
    /// A segment came twice.
    pub duplicate: bool,
    /// It acknowledges nothing new, and brings nothing.
    pub repeated: bool,
    /// Round trips in microseconds: of the oldest segment that it is about, and of the newest.
    pub oldest: Option<u32>,
    pub newest: Option<u32>,
    /// A segment that was sent again is among them.
    pub ambiguous: bool,
    /// The first of those that later ones had overtaken.
    pub overtaken: Option<SequenceNumber>,
    /// One that was sent once, before the last timeout, is among them.
    pub original: bool,
}

impl<C: Congestion> Connection<C> {
    /// RFC 5961, 5. `false`: it is of nothing that was sent, or older than a window. The segment is to be dropped. Both
    /// would be answered by the RFC; an established connection says nothing to the first, as Linux does.
    pub fn has_good_acknowledgment(&mut self, cx: &mut Context<'_>, segment: &Segment) -> bool {
        let ack = segment.acknowledgment;
        let unsent = ack.is_behind(self.send.next);
        let good = !unsent && !ack.is_before(self.send.una - self.send.largest_window);
        let silent = good || unsent && self.state == State::Established;
        if !silent {
            self.challenge(cx);
        }
        good
    }

    /// Takes the acknowledgment of a segment, which is a good one.
    pub fn acknowledge(&mut self, cx: &mut Context<'_>, segment: &Segment) {
        let ack = segment.acknowledgment;
        if ack.is_before(self.send.una) && segment.options.sack.as_slice().is_empty() {
            return;
        }
        let mut news = News::default();
        let opened = self.update_window(segment);
        let plain = segment.span() == 0 && !opened && ack == self.send.una;
        news.repeated = plain && !self.send.records.is_empty();
        let in_flight = self.in_flight();
        self.move_on(cx, ack, segment, &mut news);
        self.take_sacks(cx, segment, &mut news);
        if let Some(lowest) = news.overtaken {
            self.send.recovery.rack.overtaken(lowest, self.send.size);
        }
        self.count_duplicates(&mut news);
        self.measure(cx, segment, &news);
        if news.advanced || news.delivered > 0 || news.repeated || news.duplicate {
            self.recover(cx, segment, &mut news, in_flight);
        }
        self.after_acknowledgment(cx, &news, opened);
    }

    /// SND.WND: RFC 9293, 3.10.7.4. Says whether it is another one.
    #[inline]
    pub fn update_window(&mut self, segment: &Segment) -> bool {
        let (sequence, ack) = self.send.window_at;
        let newer = sequence.is_before(segment.sequence)
            || sequence == segment.sequence && ack.is_at_most(segment.acknowledgment);
        if !newer || segment.acknowledgment.is_before(self.send.una) {
            return false;
        }
        let window = u32::from(segment.window) << self.send.shift;
        self.send.window_at = (segment.sequence, segment.acknowledgment);
        let other = window != self.send.window;
        self.send.window = window;
        self.send.largest_window = self.send.largest_window.max(window);
        other
    }

    /// SND.UNA moves on.
    fn move_on(&mut self, cx: &mut Context<'_>, ack: SequenceNumber, segment: &Segment, news: &mut News) {
        if !ack.is_behind(self.send.una) {
            return;
        }
        news.advanced = true;
        let mut gone = News::default();
        let mut records = core::mem::take(&mut self.send.records);
        records.acknowledge(ack, |record| {
            if !record.fate.contains(Fate::SACKED) {
                gone.delivered += u32::from(record.segments);
                self.arrived(cx, record, segment, &mut gone, true);
            } else if record.fate.contains(Fate::REPEATED) {
                gone.ambiguous = true;
            }
        });
        self.send.records = records;
        self.forget_sent(cx, ack);
        (news.delivered, news.oldest, news.newest) = (gone.delivered, gone.oldest, gone.newest);
        (news.ambiguous, news.original, news.overtaken) = (gone.ambiguous, gone.original, gone.overtaken);
        if self.is(Marks::SEARCHING) {
            self.note_path(cx);
        }
    }

    /// What is before `ack` has arrived: it is not kept any more, and whatever waited for it is over.
    #[inline(always)]
    pub fn forget_sent(&mut self, cx: &mut Context<'_>, ack: SequenceNumber) {
        let bytes = self.send.queue.acknowledge(ack);
        cx.shared.memory -= bytes as usize;
        self.totals.1 += u64::from(bytes);
        self.send.una = ack;
        self.stamp_acknowledged(cx);
        self.send.waiting_since = cx.now;
        self.send.recovery.probed = false;
        if self.send.urgent.is_at_most(ack) {
            self.marks.remove(Marks::URGENT);
            self.send.urgent = ack;
        }
        // What is compared with SND.UNA only now and then must not fall 2^31 behind.
        self.send.small_until = self.send.small_until.later(ack);
        self.send.pushed = self.send.pushed.later(ack);
        self.send.repair_from = self.send.repair_from.later(ack);
        self.send.most_until = self.send.most_until.later(ack);
        self.send.round_trip.backoff = 0;
        self.send.tries = 0;
        if let Some(rare) = self.rare.as_deref_mut() {
            rare.silent_since = None;
        }
    }

    /// A record has arrived: its round trip, and what RACK learns. Only an acknowledgment that moves the stream on has
    /// the clock of what it is about (RFC 7323, 4.3): one for bytes that came early echoes an older one.
    fn arrived(&mut self, cx: &Context<'_>, record: &Record, segment: &Segment, news: &mut News, in_order: bool) {
        if record.fate.contains(Fate::REPEATED) {
            news.ambiguous = true;
        } else {
            let round_trip = cx.now.micros_since(record.sent) as u32;
            news.oldest = news.oldest.or(Some(round_trip));
            news.newest = Some(round_trip);
        }
        news.original |= self.is_original(record);
        let sent = self.clock(record.sent.as_millis() as u32);
        let echo = segment.options.timestamps.map(|clocks| clocks.echo);
        let old = in_order && echo.is_some_and(|echo| (echo.wrapping_sub(sent) as i32) < 0);
        let shortest = self.send.round_trip.shortest();
        let old = old && self.is(Marks::TIMESTAMPS);
        if self.send.recovery.rack.delivered(record, cx.now, shortest, old) {
            news.overtaken = Some(news.overtaken.map_or(record.start, |lowest| lowest.earlier(record.start)));
        }
    }

    /// What SACK tells: RFC 2018; its first block may be a duplicate's: RFC 2883, 4.
    fn take_sacks(&mut self, cx: &mut Context<'_>, segment: &Segment, news: &mut News) {
        let blocks = segment.options.sack.as_slice();
        if blocks.is_empty() || !self.is(Marks::SACK) {
            return;
        }
        let duplicate = duplicate_of(blocks, segment.acknowledgment);
        if let Some((first, end)) = duplicate.filter(|(first, end)| self.was_sent(*first, *end)) {
            news.duplicate = true;
            let segments = (end - first).div_ceil(self.send.size.into());
            self.send.recovery.rack.duplicated(self.send.una, self.send.next);
            if let Some(episode) = &mut self.episode {
                episode.undo.duplicated(first, segments);
            }
            self.rare().needless += segments;
        }
        let mut records = core::mem::take(&mut self.send.records);
        for (first, end) in &blocks[usize::from(duplicate.is_some())..] {
            // Only what is under way: a block beyond that is a lie.
            let fits = self.send.una.is_at_most(*first) && first.is_before(*end) && end.is_at_most(self.send.next);
            if fits {
                records.sack(*first, *end, |record| {
                    news.delivered += u32::from(record.segments);
                    news.sacked += u32::from(record.segments);
                    self.arrived(cx, record, segment, news, false);
                });
            }
        }
        self.send.records = records;
    }

    /// Whether a stretch lies in what was sent within the last window.
    fn was_sent(&self, first: SequenceNumber, end: SequenceNumber) -> bool {
        let oldest = self.send.una - self.send.largest_window.max(65_535);
        oldest.is_at_most(first) && first.is_before(end) && end.is_at_most(self.send.next)
    }

    /// Without SACK each acknowledgment that says nothing new stands for a segment: RFC 5681, 3.2; RFC 6582.
    fn count_duplicates(&mut self, news: &mut News) {
        if self.is(Marks::SACK) {
            return;
        }
        let recovery = &mut self.send.recovery;
        if news.advanced {
            // What the acknowledgment covers was counted when its duplicates came.
            let counted = news.delivered.saturating_sub(1).min(recovery.duplicates);
            recovery.duplicates = if recovery.phase == Phase::Recovery { recovery.duplicates - counted } else { 0 };
            news.delivered -= counted;
        } else if news.repeated {
            recovery.duplicates = (recovery.duplicates + 1).min(self.send.records.sent);
            news.delivered = 1;
        }
    }

    /// RFC 6298, 3 (Karn); RFC 7323, 4: the clock that came back, where segments were sent twice.
    fn measure(&mut self, cx: &Context<'_>, segment: &Segment, news: &News) {
        let millis = cx.millis();
        let echo = segment.options.timestamps.filter(|_| self.is(Marks::TIMESTAMPS) && news.advanced);
        let by_clock = echo.filter(|clocks| clocks.echo != 0).and_then(|clocks| {
            let round_trip = self.clock(millis).wrapping_sub(clocks.echo);
            (round_trip < 1 << 20).then_some(round_trip.max(1) * 1000)
        });
        let measured = news.oldest.filter(|_| !news.ambiguous || news.sacked > 0);
        if let Some(round_trip) = measured.or(by_clock.filter(|_| news.ambiguous)) {
            self.send.round_trip.sample(round_trip, millis);
        }
    }

    /// The congestion window grows, when it was what held the sender back (RFC 7661), and the stream moves on: a
    /// duplicate lets new segments go, but the window stays (RFC 3042).
    #[inline]
    pub fn grow(&mut self, cx: &Context<'_>, news: &News) {
        let rounds = self.send.congestion.segments >= ROUNDS_FROM;
        let round_ended = rounds && self.send.round_end.is_before(self.send.una);
        if round_ended {
            self.send.round_end = self.send.next;
        } else if !rounds {
            self.send.round_end = self.send.una - 1;
        }
        let window = &mut self.send.congestion;
        // Where the order is loose, what SACK tells is progress too.
        let loose = u32::from(self.send.recovery.rack.degree) > DUPLICATES && news.sacked > 0;
        if !(news.advanced || loose) || news.delivered == 0 {
            return;
        }
        let what = Acknowledged {
            segments: news.delivered,
            round_trip: news.newest,
            shortest: self.send.round_trip.shortest().unwrap_or(0),
            now: cx.now.as_nanos(),
            round_ended,
        };
        self.send.policy.measured(window, &what);
        let limited = self.marks.contains(Marks::LIMITED);
        let used = window.in_slow_start() && window.segments < 2 * self.send.most_in_flight;
        if limited || used {
            self.send.policy.acknowledged(window, &what);
        }
    }

    /// Timers, and who waits for room.
    fn after_acknowledgment(&mut self, cx: &mut Context<'_>, news: &News, opened: bool) {
        if self.send.records.is_empty() && (news.advanced || opened) {
            self.send.timer_at = NEVER;
            self.send.tries = 0;
            self.send.round_trip.backoff = 0;
        }
        if news.advanced {
            let (to, interface) = (self.tuple.remote(), self.path.interface);
            cx.network.confirm(cx.now, to, interface);
        }
    }

    /// ECE: RFC 3168, 6.1.2.
    pub fn is_notified(&self, segment: &Segment) -> bool {
        self.is(Marks::NOTIFIED) && segment.has(Flags::ECE)
    }
}

/// The first block, if it is a duplicate's: below the acknowledgment, or within the second one.
fn duplicate_of(
    blocks: &[(SequenceNumber, SequenceNumber)],
    ack: SequenceNumber,
) -> Option<(SequenceNumber, SequenceNumber)> {
    let first = *blocks.first()?;
    let within = blocks.get(1).is_some_and(|next| next.0.is_at_most(first.0) && first.1.is_at_most(next.1));
    (first.0.is_before(ack) || within).then_some(first)
}
