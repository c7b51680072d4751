//! What a connection tells of itself: readiness, events, TCP_INFO.

use core::{net::SocketAddr, time::Duration};

use super::{Connection, Marks, NEVER, Rare};
use crate::{Info, Limits, Readiness, State, congestion::Congestion, context::Context, round_trip::RoundTrip};

impl<C: Congestion> Connection<C> {
    /// Its readiness may have changed: its owner learns it with the next events, once.
    #[inline]
    pub fn tell(&mut self, cx: &mut Context<'_>) {
        if !self.is(Marks::TOLD | Marks::ORPHAN | Marks::UNACCEPTED) {
            self.marks.insert(Marks::TOLD);
            cx.shared.events.push(self.handle);
        }
    }

    /// A writer waits, or would have had to, and there is room worth waking it for. The queue grows with the congestion
    /// window, but not while that is full: then it is not the queue that holds the program back.
    #[inline]
    pub fn tell_room(&mut self, cx: &mut Context<'_>) {
        if !self.is(Marks::WANTS_ROOM | Marks::NO_ROOM) {
            return;
        }
        if self.is(Marks::WANTS_ROOM) && self.in_flight() < self.send.congestion.segments {
            self.widen_queue(cx);
        }
        if self.has_room(&cx.shared.limits) {
            self.marks.remove(Marks::WANTS_ROOM | Marks::NO_ROOM);
            self.tell(cx);
        }
    }

    /// Linux says it has, when a third of the queue is free, and half of what may be unsent.
    #[inline]
    pub(super) fn has_room(&self, limits: &Limits) -> bool {
        let (limit, held) = (self.send_limit(), self.charge());
        self.has_low_water(limits, 2) && held + held / 2 <= limit
    }

    /// As [`Connection::readiness`], and notes that somebody waits for room. There may be too little again before a
    /// writer looks that was told of some: packets that went meanwhile count for more than what they carry.
    #[inline]
    pub fn asked_readiness(&mut self, limits: &Limits) -> Readiness {
        let others = Marks::FIN_RECEIVED | Marks::READ_SHUT | Marks::FIN_QUEUED | Marks::URGENT;
        let tells = |rare: &Rare| rare.urgent.is_some() || rare.stamps.is_some();
        let plain = self.state == State::Established && !self.is(others) && self.error.is_none();
        let plain = plain && !self.rare.as_deref().is_some_and(tells);
        if plain && self.has_room(limits) {
            let low = self.settings.receive_low_water.max(1) as usize;
            let readable = if self.receive.queue.len() >= low { Readiness::READABLE } else { Readiness::empty() };
            return readable | Readiness::WRITABLE;
        }
        let ready = self.readiness(limits);
        if !ready.contains(Readiness::WRITABLE) {
            self.marks.insert(Marks::NO_ROOM);
        }
        ready
    }

    fn readiness(&self, limits: &Limits) -> Readiness {
        let mut ready = Readiness::empty();
        let opening = matches!(self.state, State::SynSent | State::SynReceived);
        let over = matches!(self.state, State::Closed | State::TimeWait);
        let read_closed = over || self.is(Marks::FIN_RECEIVED | Marks::READ_SHUT);
        let low = self.settings.receive_low_water.max(1) as usize;
        ready.set(Readiness::READABLE, self.receive.queue.len() >= low || read_closed || self.error.is_some());
        let broken = self.error.is_some() || over || self.is(Marks::FIN_QUEUED);
        ready.set(Readiness::WRITABLE, !opening && (broken || self.has_room(limits)));
        ready.set(Readiness::READ_CLOSED, read_closed);
        ready.set(Readiness::HANGUP, over || self.is(Marks::FIN_RECEIVED) && self.is(Marks::FIN_QUEUED));
        ready.set(Readiness::ERROR, self.error.is_some() || self.has_stamp());
        ready.set(Readiness::URGENT, self.has_urgent());
        ready
    }

    fn has_urgent(&self) -> bool {
        let urgent = self.rare.as_ref().and_then(|rare| rare.urgent);
        urgent
            .is_some_and(|urgent| !urgent.read && urgent.at.is_before(self.read_at() + self.receive.queue.len() as u32))
    }

    pub fn info(&self) -> Info {
        let RoundTrip { backoff, .. } = self.send.round_trip;
        let (rare, records) = (self.rare.as_deref(), &self.send.records);
        let micros = |micros: u32| Duration::from_micros(micros.into());
        Info {
            state: self.state,
            phase: self.send.recovery.phase,
            local: SocketAddr::new(self.tuple.local(), self.tuple.local_port),
            remote: SocketAddr::new(self.tuple.remote(), self.tuple.remote_port),
            retransmissions: self.send.tries,
            probes: rare.map_or(0, |rare| rare.probes),
            backoff,
            timestamps: self.is(Marks::TIMESTAMPS),
            selective: self.is(Marks::SACK),
            congestion_notification: self.is(Marks::NOTIFIED),
            window_shifts: self.is(Marks::SCALED).then_some((self.send.shift, self.receive.shift)),
            retransmission_timeout: self.send.round_trip.timeout(),
            send_segment: self.send.size.into(),
            receive_segment: self.receive.size.into(),
            path_payload: self.path.payload.into(),
            unacknowledged: records.sent,
            selectively_acknowledged: records.sacked + self.send.recovery.duplicates,
            lost: records.lost,
            retransmitted: records.retransmitted,
            retransmitted_total: rare.map_or(0, |rare| rare.retransmitted),
            round_trip: micros(self.send.round_trip.smoothed()),
            round_trip_variation: micros(self.send.round_trip.variation()),
            shortest_round_trip: micros(self.send.round_trip.shortest().unwrap_or(0)),
            congestion_window: self.send.congestion.segments,
            slow_start_threshold: self.send.congestion.threshold,
            send_window: self.send.window,
            receive_window: self.receive.window_end - self.receive.next,
            readable: self.receive.queue.len() as u32,
            queued: self.send.queue.len() as u32,
            unsent: self.unsent(),
            send_limit: self.send_limit() as u32,
            receive_limit: self.receive.limit,
            bytes_acknowledged: self.totals.1,
            bytes_received: self.totals.0,
            reordering: self.send.recovery.rack.degree.into(),
            reorderings: self.send.recovery.rack.reorderings.into(),
            duplicates_told: rare.map_or(0, |rare| rare.needless),
            data_sent: self.send.last_sent,
            data_received: if self.receive.heard == NEVER { self.alive } else { self.receive.heard },
            heard: self.alive,
            busy: self.busy(),
        }
    }
}
