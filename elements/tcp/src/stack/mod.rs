//! All sockets of a machine: what comes from below, what is due, and what programs do with them.

mod arrive;
mod fast_open;
#[cfg(test)]
mod footprint;
mod gather;
mod handshake;
mod knobs;
mod near;
mod open;
mod places;
mod settle;
mod sockets;
mod tell;
mod told;

pub use self::knobs::KnobError;

use alloc::{sync::Arc, vec::Vec};

use packets::Instant;

use self::places::Places;
use crate::{
    Counts, Handle, Limits, Network, Settings, Statistics,
    congestion::{Congestion, Cubic},
    connection::{Connection, NEVER},
    context::{Context, Shared},
    fast_open::Cookies,
    secrets::Secrets,
    table::Deadlines,
};

/// All sockets of a machine. `C` is the policy of congestion control: one for all connections.
#[derive(Debug)]
pub struct Tcp<C: Congestion = Cubic> {
    shared: Shared,
    places: Places<C>,
    /// When connections and half-open ones want to be looked at, by index.
    deadlines: Deadlines,
    half_deadlines: Deadlines,
    /// When entries of TIME-WAIT want to be looked at. One that begins anew only writes when: its peer may have it do
    /// so for ever.
    waits: Deadlines,
    /// Handles that were given so far.
    generations: u32,
    /// Ports that were chosen so far.
    chosen: u32,
}

impl<C: Congestion> Tcp<C> {
    /// None yet. The secret keys tables, sequence numbers, ports and cookies; nobody else may know it.
    #[must_use]
    pub fn new(secret: [u8; 32], limits: Limits) -> Self {
        let shared = Shared {
            secrets: Secrets::new(secret),
            limits,
            statistics: Statistics::default(),
            events: Vec::new(),
            gathers: false,
            gathered: Vec::new(),
            watched: false,
            memory: 0,
            orphans: 0,
            cookies: Cookies::default(),
            settings: Arc::new(Settings::default()),
        };
        Self {
            shared,
            places: Places::default(),
            deadlines: Deadlines::default(),
            half_deadlines: Deadlines::default(),
            waits: Deadlines::default(),
            generations: 0,
            chosen: 0,
        }
    }

    /// Does what is due.
    pub fn poll(&mut self, now: Instant, network: &mut dyn Network) {
        while let Some(index) = self.deadlines.take_due(now) {
            // A deadline that has moved later was not told: look first.
            let Some(connection) = self.places.connection(index) else { continue };
            if connection.due() == NEVER {
                connection.release();
            } else if connection.due() <= now {
                self.with(now, network, index, |connection, cx| connection.poll(cx));
            } else {
                self.settle(now, index);
            }
        }
        while let Some(index) = self.half_deadlines.take_due(now) {
            self.repeat_answer(now, network, index);
        }
        self.end_time_waits(now);
    }

    /// When [`Tcp::poll`] has something to do, if ever. It may be too early, never too late.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.earliest().unless_never()
    }

    /// The same, or never: it is asked for behind each packet.
    #[must_use]
    #[inline]
    pub fn earliest(&self) -> Instant {
        self.deadlines.earliest().min(self.half_deadlines.earliest()).min(self.waits.earliest())
    }

    /// Gives the sockets whose readiness may have changed since the last call, each once.
    pub fn take_events(&mut self, to: &mut Vec<Handle>) {
        self.each_event(|handle| to.push(handle));
    }

    /// Whether there are any.
    #[must_use]
    pub const fn has_events(&self) -> bool {
        !self.shared.events.is_empty()
    }

    /// As [`Tcp::take_events`], one by one.
    #[inline]
    pub fn each_event(&mut self, mut take: impl FnMut(Handle)) {
        for handle in self.shared.events.drain(..) {
            if let Ok(socket) = self.places.socket_mut(handle) {
                socket.forget_told();
                take(handle);
            }
        }
    }

    /// Does something with a connection, and looks what has become of it.
    fn with<T>(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        index: u32,
        act: impl FnOnce(&mut Connection<C>, &mut Context<'_>) -> T,
    ) -> Option<T> {
        let mut cx = Context { now, network, shared: &mut self.shared };
        let result = self.places.connection(index).map(|connection| act(connection, &mut cx));
        self.settle(now, index);
        result
    }

    /// Counts since the start.
    #[must_use]
    pub const fn statistics(&self) -> &Statistics {
        &self.shared.statistics
    }

    /// Its limits.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// Bytes in the queues of all sockets.
    #[must_use]
    pub const fn memory(&self) -> usize {
        self.shared.memory
    }

    /// How many sockets, half-open connections and connections in TIME-WAIT there are.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        let all = &self.places.all;
        Counts {
            sockets: all.sockets.len(),
            half_open: all.half_open.len(),
            time_waits: all.time_waits.len(),
            orphans: self.shared.orphans,
        }
    }
}
