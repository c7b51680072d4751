//! What is due: retransmission (RFC 6298), window probes (RFC 9293, 3.8.6.1), keepalive (RFC 9293, 3.8.4), patience.

use core::time::Duration;

use packets::{Instant, tcp::Flags};

use super::{Connection, Marks, NEVER, Timer};
use crate::{Error, State, congestion::Congestion, context::Context, round_trip::LONGEST_TIMEOUT, send::Fate};

/// R2 of RFC 9293, 3.8.3: timeouts without an answer before a connection ends: 15 minutes and more.
const TRIES: u8 = 15;
/// What this machine had no room for is tried again so soon: `TCP_RESOURCE_PROBE_INTERVAL`.
pub const REFUSED_AGAIN: Duration = Duration::from_millis(500);
/// For one that nobody owns any more.
const ORPHAN_TRIES: u8 = 8;
/// For how long one that nobody owns may keep its window closed.
const ORPHAN_PATIENCE: Duration = Duration::from_secs(100);

impl<C: Congestion> Connection<C> {
    /// Does what is due.
    pub fn poll(&mut self, cx: &mut Context<'_>) {
        if self.receive.owed_at <= cx.now {
            self.marks.insert(Marks::ACK_NOW);
            self.receive.owed_at = NEVER;
            // Its program answers slowly: RFC 5681, 4.2 wants acknowledgments, not company.
            self.marks.remove(Marks::INTERACTIVE);
        }
        self.marks.remove(Marks::PACED);
        if self.send.timer_at <= cx.now {
            self.timer(cx);
        }
        if self.slow_at <= cx.now {
            self.slow(cx);
        }
        if self.state != State::Closed {
            self.output(cx);
        }
    }

    fn timer(&mut self, cx: &mut Context<'_>) {
        if matches!(self.state, State::SynSent | State::SynReceived) {
            return self.repeat_syn(cx);
        }
        match self.send.timer {
            Timer::Retransmit => self.retransmission_due(cx),
            Timer::Probe => self.send_probe(cx),
            Timer::Reorder => self.look_again(cx),
            Timer::Persist => self.probe_window(cx),
            Timer::Cork => {
                self.marks.insert(Marks::PUSH);
                self.send.pushed = self.send.queue.end();
                self.send.timer_at = NEVER;
            }
        }
    }

    /// RFC 6298, 5.7; RFC 9293, 3.8.3.
    fn repeat_syn(&mut self, cx: &mut Context<'_>) {
        let patience = self.settings.user_timeout.unwrap_or(Duration::MAX);
        if self.send.tries >= self.settings.syn_retries || cx.now.since(self.send.last_sent) >= patience {
            cx.shared.statistics.failed_opens += 1;
            let soft = self.rare.as_ref().and_then(|rare| rare.soft);
            return self.finish(cx, Some(soft.unwrap_or(Error::TimedOut)));
        }
        self.send.tries += 1;
        self.send.round_trip.backoff += 1;
        self.refresh_path(cx);
        self.emit_syn(cx);
        self.send.timer_at = cx.now + self.send.round_trip.timeout();
    }

    fn retransmission_due(&mut self, cx: &mut Context<'_>) {
        self.send.timer_at = NEVER;
        if self.send.records.is_empty() {
            return;
        }
        let orphan = self.is(Marks::ORPHAN);
        let tries = if orphan { ORPHAN_TRIES } else { TRIES };
        // One that has closed its window over what is under way, and says so, is alive.
        let alive = self.send.window == 0 && !orphan && cx.now.since(self.alive) < 2 * LONGEST_TIMEOUT;
        if self.send.tries >= tries && !alive || self.is_impatient(cx.now) {
            let soft = self.rare.as_ref().and_then(|rare| rare.soft);
            return self.finish(cx, Some(soft.unwrap_or(Error::TimedOut)));
        }
        if self.send.tries >= 2 {
            self.refresh_path(cx); // RFC 1122, 3.3.1.4: the way may be dead.
        }
        if self.send.tries > 0 || self.is(Marks::SEARCHING) {
            self.suspect_path(cx);
        }
        self.time_out(cx);
    }

    /// RFC 5482, for this side.
    fn is_impatient(&self, now: Instant) -> bool {
        self.settings.user_timeout.is_some_and(|patience| self.silence(now) >= patience)
    }

    /// Asks for the route anew.
    pub fn refresh_path(&mut self, cx: &mut Context<'_>) {
        let (to, from) = (self.tuple.remote(), self.tuple.local());
        let Ok(route) = cx.network.route(to, Some(from), self.settings.interface) else { return };
        let payload = if self.is(Marks::PATH_SHRUNK) { route.payload.min(self.path.payload) } else { route.payload };
        self.path = super::Path { payload, ..route.into() };
    }

    /// The other side's window is closed: what it says of a segment that it does not want tells when it opens.
    fn probe_window(&mut self, cx: &mut Context<'_>) {
        self.send.timer_at = NEVER;
        if self.unsent() == 0 && !self.owes_fin() || !self.send.records.is_empty() {
            return;
        }
        self.rare().silent_since.get_or_insert(cx.now);
        let orphan = self.is(Marks::ORPHAN) && self.silence(cx.now) >= ORPHAN_PATIENCE;
        if orphan || self.is_impatient(cx.now) || self.send.tries >= TRIES {
            return self.abort(cx, Some(Error::TimedOut));
        }
        let probes = &mut self.rare().probes;
        *probes = probes.saturating_add(1);
        if self.window_room() > 0 {
            // Less than a segment, and not worth one before: RFC 9293, 3.8.6.2.1 (4).
            self.marks.insert(Marks::PUSH);
            self.send_new(cx, true);
            self.marks.remove(Marks::PUSH);
        }
        if self.is(Marks::REFUSED) {
            // Nobody was asked, so nobody has failed to answer.
            (self.send.timer, self.send.timer_at) = (Timer::Persist, cx.now + REFUSED_AGAIN);
            return;
        }
        self.send.tries += 1;
        self.send.round_trip.backoff = (self.send.round_trip.backoff + 1).min(16);
        if self.send.records.is_empty() {
            self.emit(cx, self.send.una - 1, 0, Flags::empty());
            (self.send.timer, self.send.timer_at) = (Timer::Persist, cx.now + self.send.round_trip.timeout());
        } else {
            self.set_timer(cx);
        }
    }

    /// Keepalive, or the end of a patience.
    fn slow(&mut self, cx: &mut Context<'_>) {
        self.slow_at = NEVER;
        if self.state == State::FinWait2 && self.is(Marks::ORPHAN) {
            return self.finish(cx, None);
        }
        let settings = self.settings.clone();
        if !settings.keep_alive || !self.is_synchronized() {
            return;
        }
        let silent = cx.now.since(self.alive);
        if silent < settings.keep_idle || !self.send.records.is_empty() || self.unsent() > 0 {
            self.slow_at = (self.alive + settings.keep_idle).max(cx.now + settings.keep_interval);
            return;
        }
        let probes = self.rare().probes;
        let over = match settings.user_timeout {
            Some(patience) => silent >= patience && probes > 0,
            None => probes >= settings.keep_count,
        };
        if over {
            return self.abort(cx, Some(Error::TimedOut));
        }
        self.rare().probes += 1;
        self.emit(cx, self.send.una - 1, 0, Flags::empty());
        self.slow_at = cx.now + settings.keep_interval;
    }

    /// Starts or stops keepalive.
    pub fn set_keepalive(&mut self, now: Instant) {
        if self.settings.keep_alive && self.is_synchronized() {
            self.slow_at = self.slow_at.min((self.alive + self.settings.keep_idle).max(now));
        }
    }

    /// The path carries less: RFC 1191, RFC 8201. What is under way and too long goes again.
    pub fn shrink_path(&mut self, cx: &mut Context<'_>, payload: u16) {
        if payload >= self.path.payload {
            return;
        }
        self.path.payload = payload;
        self.marks.insert(Marks::PATH_SHRUNK);
        let before = self.send.size;
        self.set_size();
        if !self.is_synchronized() || self.send.size >= before {
            return;
        }
        self.send.records.resize(self.send.size);
        for index in 0..self.send.records.len() {
            self.send.records.change(index, |record| {
                if !record.fate.contains(Fate::SACKED) {
                    record.fate.remove(Fate::RETRANSMITTED);
                    record.fate.insert(Fate::LOST);
                }
            });
        }
        self.look_again_from(self.send.una);
        self.output(cx);
        self.set_timer(cx);
    }
}

impl From<crate::Route> for super::Path {
    fn from(route: crate::Route) -> Self {
        let crate::Route { interface, burst, payload, near, .. } = route;
        Self { interface, confirmed_at: 1 << 31, burst: burst.max(payload.into()), payload, near }
    }
}
