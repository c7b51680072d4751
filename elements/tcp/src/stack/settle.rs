//! What becomes of a connection after something has happened to it.

use core::time::Duration;

use packets::Instant;

use super::{
    Tcp,
    places::{Place, Socket},
};
use crate::{
    Handle, State,
    congestion::Congestion,
    connection::{Connection, Marks, NEVER},
    time_wait::{LIFE, TimeWait},
};

/// Who has nothing to wait for is looked at once more after this time, and gives back the memory that it has kept.
const IDLE: Duration = Duration::from_secs(1);

impl<C> Socket<C> {
    /// Its event has been taken.
    pub fn forget_told(&mut self) {
        match self {
            Self::Idle(_) => {}
            Self::Listener(listener) => listener.told = false,
            Self::Connection(connection) => connection.marks.remove(Marks::TOLD),
        }
    }
}

impl<C: Congestion> Tcp<C> {
    /// Looks at a connection: it may be over, or want to be looked at later.
    #[inline(always)]
    pub(super) fn settle(&mut self, now: Instant, index: u32) {
        let Some(connection) = self.places.connection(index) else { return };
        if matches!(connection.state, State::Closed | State::TimeWait) {
            return self.conclude(now, index);
        }
        match connection.due() {
            NEVER if connection.keeps_memory() => self.deadlines.arm(index, now + IDLE),
            NEVER => {}
            due => self.deadlines.arm(index, due),
        }
    }

    /// A connection is over.
    #[inline(never)]
    fn conclude(&mut self, now: Instant, index: u32) {
        let Some(connection) = self.places.connection(index) else { return };
        let state = connection.state;
        let gone = connection.is(Marks::ORPHAN);
        let waits = (state == State::TimeWait).then(|| time_wait_of(connection, now));
        connection.state = State::Closed;
        self.deadlines.remove(index);
        self.unlink(index);
        if let Some(entry) = waits {
            self.begin_time_wait(now, entry);
        }
        if gone {
            self.forget(index);
        }
    }

    /// Makes a connection findable.
    pub(super) fn link(&mut self, index: u32) {
        let Some(connection) = self.places.connection(index) else { return };
        connection.marks.insert(Marks::LINKED);
        let (port, lenient) = (connection.tuple.local_port, connection.settings.reuse_address);
        self.places.ports.count(port, lenient, true);
        self.places.insert(&self.shared.secrets, Place::Connection(index));
    }

    /// It is found no more.
    fn unlink(&mut self, index: u32) {
        let Some(connection) = self.places.connection(index).filter(|connection| connection.is(Marks::LINKED)) else {
            return;
        };
        connection.marks.remove(Marks::LINKED);
        let (port, lenient) = (connection.tuple.local_port, connection.settings.reuse_address);
        self.places.remove(&self.shared.secrets, Place::Connection(index));
        self.places.ports.count(port, lenient, false);
    }

    /// A connection that nobody owns is over.
    fn forget(&mut self, index: u32) {
        if let Some(Socket::Connection(connection)) = self.places.all.sockets.remove(index) {
            self.shared.memory -= connection.held();
            self.shared.orphans -= 1;
        }
    }

    fn begin_time_wait(&mut self, now: Instant, entry: TimeWait) {
        if self.places.all.time_waits.len() >= self.shared.limits.time_waits {
            return;
        }
        self.shared.statistics.time_waits += 1;
        let (port, lenient) = (entry.tuple.local_port, entry.lenient);
        let index = self.places.all.time_waits.insert(entry);
        self.places.ports.count(port, lenient, true);
        self.places.insert(&self.shared.secrets, Place::TimeWait(index));
        self.waits.arm(index, now + LIFE);
    }

    /// Ends those whose time is over, and looks later at those that have begun anew.
    pub(super) fn end_time_waits(&mut self, now: Instant) {
        while let Some(index) = self.waits.take_due(now) {
            let Some(entry) = self.places.all.time_waits.get(index) else { continue };
            let spent = Duration::from_millis((now.as_millis() as u32).wrapping_sub(entry.since).into());
            match LIFE.checked_sub(spent) {
                Some(left) if !left.is_zero() => self.waits.arm(index, now + left),
                _ => self.end_time_wait(index),
            }
        }
    }

    pub(super) fn end_time_wait(&mut self, index: u32) {
        self.waits.remove(index);
        self.places.remove(&self.shared.secrets, Place::TimeWait(index));
        if let Some(entry) = self.places.all.time_waits.remove(index) {
            self.places.ports.count(entry.tuple.local_port, entry.lenient, false);
        }
    }

    /// A number that no handle had.
    pub(super) fn generation(&mut self) -> u32 {
        self.generations = self.generations.wrapping_add(1);
        self.generations
    }

    /// Puts a socket into its place, which it must know.
    pub(super) fn place(&mut self, make: impl FnOnce(Handle) -> Socket<C>) -> Handle {
        let generation = self.generation();
        // The place is known when something lies in it.
        let unknown = Handle { index: u32::MAX, generation };
        let idle = super::places::Idle::new(unknown, &self.shared.settings);
        let index = self.places.all.sockets.insert(Socket::Idle(idle.into()));
        let handle = Handle { index, generation };
        if let Some(socket) = self.places.all.sockets.get_mut(index) {
            *socket = make(handle);
        }
        handle
    }
}

/// What TIME-WAIT keeps of a connection.
fn time_wait_of<C>(connection: &Connection<C>, now: Instant) -> TimeWait {
    let window = (connection.receive.window_end - connection.receive.next) >> connection.receive.shift;
    TimeWait {
        tuple: connection.tuple,
        link: crate::table::NONE,
        next: connection.send.next,
        expected: connection.receive.next,
        recent: connection.receive.recent,
        since: now.as_millis() as u32,
        window: window.min(u16::MAX.into()) as u16,
        timestamps: connection.is(Marks::TIMESTAMPS),
        lenient: connection.settings.reuse_address,
    }
}
