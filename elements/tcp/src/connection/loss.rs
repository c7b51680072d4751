//! Loss found and repaired: the phases of recovery (RFC 5681, 6582, 6675, 8985, 9937), and taking them back.

use alloc::boxed::Box;
use core::time::Duration;

use super::{Connection, Marks, NEVER, Timer, acknowledge::News};
use crate::{
    congestion::Congestion,
    context::Context,
    info::Phase,
    recovery::{DUPLICATES, Doubt, Episode, Reduction, Undo},
    segment::Segment,
    send::Fate,
};

/// The least wait for a probe or for something late, as Linux has it; and over short paths, where it would be twenty
/// round trips and more, four of them, but no less than the other side's scheduler may take.
pub const LEAST_WAIT: Duration = Duration::from_millis(2);
const LEAST_OF_ALL: Duration = Duration::from_micros(400);

impl<C: Congestion> Connection<C> {
    /// Moves through the phases after an acknowledgment with news.
    pub fn recover(&mut self, cx: &mut Context<'_>, segment: &Segment, news: &mut News, in_flight: u32) {
        self.answer_probe(cx, news);
        let echo = segment.options.timestamps.filter(|_| self.is(Marks::TIMESTAMPS) && news.advanced);
        let echo = echo.map(|clocks| clocks.echo);
        if self.episode.as_ref().is_some_and(|episode| episode.undo.is_due(echo)) {
            self.take_back(cx);
        } else {
            self.settle_doubt(cx, news);
        }
        let shrinking = matches!(self.send.recovery.phase, Phase::Recovery | Phase::Reduced);
        self.end_phase(news);
        let lost = self.find_losses(cx, news);
        let phase = self.send.recovery.phase;
        let too_long = lost > 0 && self.is(Marks::SEARCHING) && self.lost_a_probe();
        if lost > 0 && !self.send.recovery.is_on() && !too_long {
            self.enter_recovery(cx, news);
        } else if self.is_notified(segment) && matches!(phase, Phase::Open | Phase::Disorder) {
            self.reduce(in_flight);
        }
        match self.send.recovery.phase {
            Phase::Recovery | Phase::Reduced => {
                // What tells of congestion is no reason to send more.
                let safe = news.advanced && lost == 0 && !self.is_notified(segment);
                let (flight, threshold) = (self.in_flight(), self.send.congestion.threshold);
                let window = self.reduced_window(news.delivered, flight, threshold, safe);
                // RFC 6582, 3.2 step 3: a partial acknowledgment sends the next hole, whatever the window says.
                let hole = lost > 0 && !self.is(Marks::SACK);
                self.send.congestion.segments = if hole { window.max(flight + 1) } else { window };
            }
            Phase::Loss => self.grow(cx, news),
            Phase::Open | Phase::Disorder => {
                let disorder = self.send.records.sacked > 0 || self.send.recovery.duplicates > 0;
                self.send.recovery.phase = if disorder { Phase::Disorder } else { Phase::Open };
                if !shrinking {
                    self.grow(cx, news);
                }
            }
        }
        if news.advanced || lost > 0 || news.sacked > 0 && self.send.timer == Timer::Probe {
            self.set_timer(cx);
        }
    }

    /// A phase ends when all is acknowledged that had been sent when it began.
    fn end_phase(&mut self, news: &News) {
        let recovery = &mut self.send.recovery;
        // CWR must have reached the other side before it is believed again: RFC 3168, 6.1.2.
        let over = match recovery.phase {
            Phase::Reduced => recovery.point.is_before(self.send.una),
            _ => recovery.point.is_at_most(self.send.una),
        };
        if !news.advanced || !over {
            return;
        }
        match recovery.phase {
            Phase::Recovery | Phase::Reduced => {
                self.send.congestion.segments = self.send.congestion.threshold;
            }
            Phase::Loss => {}
            Phase::Open | Phase::Disorder => {
                recovery.point = self.send.una;
                return;
            }
        }
        recovery.phase = Phase::Open;
        recovery.duplicates = 0;
        recovery.rack.recovered();
        // What the undo waits for may still come: it stays until the next reduction.
    }

    /// Finds what is lost, and says how many segments are newly so.
    fn find_losses(&mut self, cx: &mut Context<'_>, news: &News) -> u32 {
        if self.is(Marks::SACK) {
            return self.look_for_late(cx);
        }
        let recovery = &self.send.recovery;
        let again = recovery.is_on() && news.advanced;
        if recovery.duplicates >= DUPLICATES && !recovery.is_on() || again && recovery.phase == Phase::Recovery {
            // RFC 6582: the first one, and after a partial acknowledgment the next one.
            return self.lose_first();
        }
        0
    }

    fn lose_first(&mut self) -> u32 {
        self.send.records.split_after(0, 1);
        let Some(first) = self.send.records.get(0).copied() else { return 0 };
        if first.fate.contains(Fate::LOST) {
            return 0;
        }
        self.send.records.change(0, |record| record.fate.insert(Fate::LOST));
        self.look_again_from(first.start);
        first.segments.into()
    }

    /// RACK's look at the records: RFC 8985, 6.2 step 5.
    fn look_for_late(&mut self, cx: &mut Context<'_>) -> u32 {
        let (shortest, smoothed) = (self.send.round_trip.shortest().unwrap_or(0), self.send.round_trip.smoothed());
        let recovery = &self.send.recovery;
        let on = recovery.is_on();
        let found = recovery.rack.detect(&mut self.send.records, cx.now, shortest, smoothed, on);
        if found.lost > 0 {
            self.look_again_from(self.send.una);
        }
        if let Some(wait) = found.wait {
            (self.send.timer, self.send.timer_at) = (Timer::Reorder, cx.now + wait.max(self.least_wait()));
        } else if self.send.timer == Timer::Reorder {
            self.send.timer_at = NEVER;
            self.set_timer(cx);
        }
        found.lost
    }

    /// The least wait on this path.
    pub fn least_wait(&self) -> Duration {
        Duration::from_micros(self.least_wait_micros())
    }

    /// The same in microseconds: it is asked for with each segment.
    pub fn least_wait_micros(&self) -> u64 {
        const LEAST: u64 = LEAST_OF_ALL.as_micros() as u64;
        const MOST: u64 = LEAST_WAIT.as_micros() as u64;
        (u64::from(self.send.round_trip.smoothed()) * 4).clamp(LEAST, MOST)
    }

    /// The timer for what is late has run out.
    pub fn look_again(&mut self, cx: &mut Context<'_>) {
        let lost = self.look_for_late(cx);
        let too_long = lost > 0 && self.is(Marks::SEARCHING) && self.lost_a_probe();
        if lost > 0 && !too_long && !self.send.recovery.is_on() {
            self.enter_recovery(cx, &News::default());
            let (flight, threshold) = (self.in_flight(), self.send.congestion.threshold);
            self.send.congestion.segments = self.reduced_window(0, flight, threshold, false);
        }
        if self.send.timer_at <= cx.now {
            self.send.timer_at = NEVER;
            self.set_timer(cx);
        }
    }

    /// Fast recovery begins.
    fn enter_recovery(&mut self, cx: &mut Context<'_>, news: &News) {
        cx.shared.statistics.fast_recoveries += 1;
        let records = &self.send.records;
        // RFC 9937, 6: what was on its way before this acknowledgment.
        let flight = records.sent.saturating_sub(records.sacked + self.send.recovery.duplicates) + news.delivered;
        self.remember();
        self.send.congestion.threshold = self.send.policy.lost(&self.send.congestion, flight);
        self.send.congestion.credit = 0;
        if let Some(episode) = &mut self.episode {
            episode.reduction = Reduction::begin(flight);
        }
        self.send.recovery.point = self.send.next;
        self.send.recovery.phase = Phase::Recovery;
    }

    pub fn remember(&mut self) {
        self.episode = Some(Box::new(Episode {
            reduction: Reduction::default(),
            undo: Undo::begin(self.send.una, &self.send.congestion),
            policy: self.send.policy.clone(),
        }));
    }

    fn reduced_window(&mut self, delivered: u32, flight: u32, threshold: u32, safe: bool) -> u32 {
        let window = self.send.congestion.segments;
        self.episode.as_mut().map_or(window, |now| now.reduction.window(delivered, flight, threshold, safe))
    }

    /// A router has told of congestion: once a round trip (RFC 3168, 6.1.2). The window shrinks as in a recovery.
    pub fn reduce(&mut self, in_flight: u32) {
        self.send.congestion.threshold = self.send.policy.lost(&self.send.congestion, in_flight);
        self.send.recovery.point = self.send.next;
        self.send.recovery.phase = Phase::Reduced;
        self.episode = Some(Box::new(Episode {
            reduction: Reduction::begin(in_flight),
            undo: Undo::default(),
            policy: self.send.policy.clone(),
        }));
        self.marks.insert(Marks::REDUCED);
    }

    /// Nothing was lost after all: RFC 3522, RFC 3708.
    pub fn take_back(&mut self, cx: &mut Context<'_>) {
        cx.shared.statistics.undone_recoveries += 1;
        let Some(mut episode) = self.episode.take() else { return };
        let (window, threshold) = episode.undo.take();
        let now = &mut self.send.congestion;
        now.segments = now.segments.max(window);
        now.threshold = now.threshold.max(threshold);
        self.send.policy = episode.policy;
        self.send.records.forget_losses();
        self.send.recovery.phase = Phase::Open;
        self.send.recovery.duplicates = 0;
        self.send.recovery.doubt = Doubt::None;
        self.send.recovery.rack.undone();
    }

    /// What the answer to a loss probe says: RFC 8985, 7.4.
    fn answer_probe(&mut self, _cx: &mut Context<'_>, news: &News) {
        let Some((end, repeated)) = self.send.recovery.probe else { return };
        if self.send.una.is_before(end) {
            return;
        }
        if !repeated || news.duplicate {
            self.send.recovery.probe = None; // New data, or both copies have arrived.
        } else if self.send.una.is_behind(end) {
            // The probe has repaired a loss: the window pays for it, as for any.
            self.send.recovery.probe = None;
            if !self.send.recovery.is_on() {
                let flight = self.in_flight();
                let threshold = self.send.policy.lost(&self.send.congestion, flight);
                self.send.congestion.threshold = threshold;
                self.send.congestion.segments = threshold;
            }
        } else if !news.advanced && news.sacked == 0 {
            self.send.recovery.probe = None;
        }
    }
}
