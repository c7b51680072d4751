//! When nothing is heard: the loss probe (RFC 8985, 7) and the retransmission timeout (RFC 6298).

use core::time::Duration;

use packets::Instant;

use super::{Connection, Marks, NEVER, Timer, loss::LEAST_WAIT, timers::REFUSED_AGAIN};
use crate::{congestion::Congestion, context::Context, info::Phase, send::Fate};

/// RFC 8985, 7.2: what is added to a probe's wait when a single segment is under way, for its acknowledgment may be
/// delayed.
const DELAYED: u64 = 200_000;

/// The same for several that are less than two full ones: an acknowledgment of these may wait too (RFC 9293, 3.8.6.3).
/// It is what Linux adds for all, and keeps an answer in two pieces from being sent again before the next request has
/// come.
const OFTEN_DELAYED: u64 = 8_000;

impl<C: Congestion> Connection<C> {
    /// Sets the timer for what is under way: a probe if one helps, the retransmission timeout otherwise.
    pub fn set_timer(&mut self, cx: &Context<'_>) {
        if self.send.records.is_empty() {
            if !matches!(self.send.timer, Timer::Persist | Timer::Cork) {
                self.send.timer_at = NEVER;
            }
            return;
        }
        if self.send.timer == Timer::Reorder && self.send.timer_at != NEVER && self.send.timer_at > cx.now {
            return;
        }
        let timeout = self.send.waiting_since.plus_micros(self.send.round_trip.timeout_micros());
        let timeout = timeout.max(cx.now + LEAST_WAIT);
        (self.send.timer, self.send.timer_at) = match self.probe_wait() {
            // RFC 8985, 7.2: no later than the timeout, whose place it takes then.
            Some(wait) => (Timer::Probe, timeout.min(cx.now.plus_micros(wait))),
            None => (Timer::Retransmit, timeout),
        };
    }

    /// PTO in microseconds: RFC 8985, 7.2. `None`: no probe now.
    fn probe_wait(&self) -> Option<u64> {
        let recovery = &self.send.recovery;
        let calm = matches!(recovery.phase, Phase::Open | Phase::Disorder) && recovery.probe.is_none();
        if !calm || !self.is(Marks::SACK) || recovery.probed || self.send.records.sacked > 0 {
            return None;
        }
        if !self.send.round_trip.is_known() {
            return None;
        }
        let twice = u64::from(self.send.round_trip.smoothed()) * 2;
        let full = u32::from(self.send.size);
        let delay = match self.send.records.sent {
            1 => DELAYED,
            _ if self.send.next - self.send.una < 2 * full => OFTEN_DELAYED,
            _ => 0,
        };
        Some((twice + delay).max(self.least_wait_micros()))
    }

    /// The probe's moment: new data, or the last segment again (RFC 8985, 7.3).
    pub fn send_probe(&mut self, cx: &mut Context<'_>) {
        cx.shared.statistics.loss_probes += 1;
        self.send.recovery.probed = true;
        self.send.waiting_since = cx.now;
        if self.send_new(cx, true) {
            self.send.recovery.probe = Some((self.send.next, false));
        } else if let Some(record) = self.send.records.last().copied() {
            let last = self.send.records.len() - 1;
            self.send.records.split_after(last, u32::from(record.segments).saturating_sub(1));
            let last = self.send.records.len() - 1;
            self.send.recovery.probe = Some((self.send.next, true));
            self.send_again(cx, last, 1);
        }
        self.send.timer = Timer::Retransmit;
        self.send.timer_at = NEVER;
        self.set_timer(cx);
    }

    /// The retransmission timeout: RFC 6298, 5.4 to 5.6; RFC 5681, 3.1; RFC 8985, 6.3.
    pub fn time_out(&mut self, cx: &mut Context<'_>) {
        cx.shared.statistics.timeouts += 1;
        self.begin_to_doubt(!self.send.recovery.is_on());
        let again = self.send.recovery.phase == Phase::Loss && self.send.tries > 0;
        if !again {
            let flight = self.in_flight();
            if !self.send.recovery.is_on() {
                self.remember();
                self.send.congestion.threshold = self.send.policy.timed_out(&self.send.congestion, flight);
            }
        }
        if self.send.records.get(0).is_some_and(|first| first.fate.contains(Fate::SACKED)) {
            // It told that it has what it asks for: it has thrown it away (RFC 2018, 8).
            self.send.records.forget_sacks();
        }
        self.lose_all();
        self.send.congestion.segments = 1;
        self.send.congestion.credit = 0;
        let recovery = &mut self.send.recovery;
        (recovery.phase, recovery.point) = (Phase::Loss, self.send.next);
        (recovery.duplicates, recovery.probe) = (0, None);
        self.send.tries = self.send.tries.saturating_add(1);
        self.send.round_trip.backoff = (self.send.round_trip.backoff + 1).min(16);
        self.send.waiting_since = cx.now;
        self.rare().silent_since.get_or_insert(cx.now);
        (self.send.timer, self.send.timer_at) = (Timer::Retransmit, NEVER);
        if !self.send_again(cx, 0, 1) && self.is(Marks::REFUSED) {
            self.send.round_trip.backoff -= 1;
            self.send.timer_at = cx.now + REFUSED_AGAIN;
            return;
        }
        self.set_timer(cx);
    }

    /// Holds for lost what SACK has not told.
    fn lose_all(&mut self) {
        for index in 0..self.send.records.len() {
            self.send.records.change(index, |record| {
                record.fate.remove(Fate::RETRANSMITTED);
                if !record.fate.contains(Fate::SACKED) {
                    record.fate.insert(Fate::LOST);
                }
            });
        }
        self.send.repair_from = self.send.una;
    }

    /// For how long nothing of what was sent has been acknowledged.
    pub fn silence(&self, now: Instant) -> Duration {
        self.rare.as_ref().and_then(|rare| rare.silent_since).map_or(Duration::ZERO, |since| now.since(since))
    }
}
