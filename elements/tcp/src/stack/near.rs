//! Both ends of a connection are sockets of this machine: what one writes goes to the other's queue at once, if nothing
//! else is under way. No segment is made, carried, looked up and acknowledged. Whatever is not that plain goes as
//! segments, as to everyone else: what the reader's window has no room for, what waits for more, urgent bytes, the end.

use packets::Instant;

use super::{Tcp, handshake::Opened, places::Place};
use crate::{
    Handle, Network, WriteFlags, congestion::Congestion, connection::Marks, context::Context, listen::Listener,
    receive::Queue,
};

impl<C: Congestion> Tcp<C> {
    /// Somebody wants to see all segments, or nobody does: none is saved then.
    pub const fn set_watched(&mut self, watched: bool) {
        self.shared.watched = watched;
    }

    /// Whether somebody does.
    #[must_use]
    #[inline]
    pub const fn is_watched(&self) -> bool {
        self.shared.watched
    }

    /// Has `put` add so many bytes to the queue of the other end; `false`: they have to be sent, and nothing was done.
    #[inline]
    pub(super) fn hand_over(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        length: usize,
        flags: WriteFlags,
        put: impl FnOnce(&mut Queue),
    ) -> bool {
        let Ok(writer) = self.connected(handle) else { return false };
        if !writer.may_hand_over(length) || !flags.is_empty() || self.shared.watched || self.shared.is_full() {
            return false;
        }
        let (tuple, first) = (writer.tuple.reversed(), writer.send.next);
        let Some(Place::Connection(index)) = self.places.find_again(&self.shared.secrets, &tuple) else { return false };
        let reader = self.places.connection(index).filter(|reader| reader.may_take_over(first, length));
        let Some(reader) = reader else { return false };
        let mut cx = Context { now, network, shared: &mut self.shared };
        let window = reader.take_over(&mut cx, length, put);
        if let Some(writer) = self.places.connection(handle.index) {
            writer.handed_over(&cx, length, window);
        }
        self.shared.statistics.segments_sent += 1;
        self.shared.statistics.segments_received += 1;
        true
    }

    /// The other end within this machine that can take over the end of what a socket sends, if that is all there is to
    /// do. The socket is told.
    pub(super) fn end_taker(&mut self, index: u32) -> Option<u32> {
        let watched = self.shared.watched;
        let writer = self.places.connection(index).filter(|writer| !watched && writer.may_hand_over_end())?;
        let (tuple, number) = (writer.tuple.reversed(), writer.send.next);
        let Place::Connection(other) = self.places.find_again(&self.shared.secrets, &tuple)? else { return None };
        let fits = other != index && self.places.connection(other)?.may_take_over_end(number);
        self.places.connection(index).filter(|_| fits)?.marks.insert(Marks::HANDS_END);
        Some(other)
    }

    /// Hands that end over, if it was asked for meanwhile.
    pub(super) fn hand_over_end(&mut self, now: Instant, network: &mut dyn Network, index: u32, other: u32) {
        if !self.places.connection(index).is_some_and(|writer| writer.hands_over_end()) {
            return;
        }
        self.with(now, network, other, |reader, cx| reader.take_over_end(cx));
        self.with(now, network, index, |writer, cx| writer.end_handed_over(cx));
        self.shared.statistics.segments_sent += 1;
        self.shared.statistics.segments_received += 1;
    }

    /// Opens a connection whose listener is of this machine too and has room: both ends are there at once, as after a
    /// handshake. `false`: the SYN has to be sent, and nothing was done.
    pub(super) fn meet(&mut self, now: Instant, network: &mut dyn Network, index: u32) -> bool {
        let watched = self.shared.watched || self.shared.limits.always_cookies;
        let Some(client) = self.places.connection(index).filter(|client| !watched && client.may_meet()) else {
            return false;
        };
        let (tuple, theirs) = (client.tuple.reversed(), client.send.una);
        let choice = self.shared.secrets.place(&tuple);
        let Some(listener) = self.places.ports.listener(tuple.local_port, tuple.local, choice) else { return false };
        let waits = |listener: &Listener| listener.is_full() || listener.settings.defer_accept;
        // Who comes while others shake hands comes behind them.
        let busy = |listener: &mut Listener| waits(listener) || listener.half_open > 0;
        if self.places.listener(listener).is_none_or(busy) || self.places.find_at(choice, &tuple).is_some() {
            return false;
        }
        let first = self.shared.secrets.first_sequence(now, &tuple);
        let Some(client) = self.places.connection(index) else { return false };
        let cx = Context { now, network, shared: &mut self.shared };
        let options = client.syn_options(&cx, false);
        let opened = Opened { tuple, first, theirs, options, notified: false, window: 0, round_trip: Some(1) };
        let Some(other) = self.admit(now, network, listener, &opened) else { return false };
        let mut cx = Context { now, network, shared: &mut self.shared };
        let Some(server) = self.places.connection(other) else { return false };
        let answer = server.syn_options(&cx, true);
        server.offer(&cx);
        let window = server.receive.window_end - server.receive.next;
        let Some(client) = self.places.connection(index) else { return false };
        let own = client.met(&mut cx, first, &answer);
        client.learn_window(window);
        if let Some(server) = self.places.connection(other) {
            server.learn_window(own);
        }
        // SYN, SYN and ACK, ACK.
        self.shared.statistics.segments_sent += 3;
        self.shared.statistics.segments_received += 3;
        self.settle(now, other);
        self.settle(now, index);
        true
    }
}
