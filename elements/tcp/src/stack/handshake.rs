//! The handshake of listeners: RFC 9293, 3.10.7.2; a flood of SYNs ends in cookies (RFC 4987).

use packets::{
    Instant,
    tcp::{Flags, Options, SequenceNumber, Timestamps},
};

use super::{
    Tcp,
    arrive::send_alone,
    places::{Place, Socket},
};
use crate::{
    Handle, Network, Settings,
    congestion::Congestion,
    connection::{Connection, Marks, Passive, Path, first_window, shift_for},
    context::Context,
    listen::{self, HalfOpen, Said, asks_for_notification, cookie_clock, make_cookie, open_cookie},
    segment::Segment,
    tuple::Tuple,
    wire::{self, Words},
};

/// The answer to a SYN.
struct Answer {
    first: SequenceNumber,
    theirs: SequenceNumber,
    /// What the SYN said.
    options: Options,
    notified: bool,
    /// Our clock in it.
    clock: u32,
}

/// What a handshake has found out: see [`Passive`].
pub(super) struct Opened {
    pub tuple: Tuple,
    pub first: SequenceNumber,
    pub theirs: SequenceNumber,
    pub options: Options,
    pub notified: bool,
    pub window: u16,
    pub round_trip: Option<u32>,
}

impl<C: Congestion> Tcp<C> {
    /// A SYN for a listener.
    pub(super) fn receive_syn(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        tuple: Tuple,
        handle: Handle,
        segment: &Segment,
        at_least: Option<SequenceNumber>,
    ) {
        let limit = if self.shared.limits.always_cookies { 0 } else { self.shared.limits.half_open };
        let Some(listener) = self.places.listener(handle) else { return };
        if listener.is_full() {
            self.shared.statistics.accept_overflows += 1;
            return;
        }
        let notified = self.shared.limits.answers_notification && asks_for_notification(segment.flags);
        let clock = (now.as_millis() as u32).wrapping_add(self.shared.secrets.clock_offset(&tuple));
        let (theirs, mut options) = (segment.sequence, segment.options);
        options.timestamps = options.timestamps.filter(|_| self.shared.limits.timestamps);
        let mut answer = Answer { first: theirs, theirs, options, notified, clock };
        if listener.half_open >= limit {
            listener.cookie_sent = Some(now);
            self.shared.statistics.cookies_sent += 1;
            let size = options.segment_size.unwrap_or(536);
            answer.first = make_cookie(&self.shared.secrets, now, &tuple, theirs, size);
            answer.clock = cookie_clock(clock, &options, notified);
            if options.timestamps.is_none() {
                // Nothing remembers these then.
                answer.options = Options { segment_size: options.segment_size, ..Options::default() };
                answer.notified = false;
            }
        } else {
            listener.half_open += 1;
            let first = self.shared.secrets.first_sequence(now, &tuple);
            answer.first = at_least.map_or(first, |least| first.later(least));
            let numbers = (answer.first, theirs);
            let entry = HalfOpen::new(tuple, handle, numbers, &options, notified, now);
            let wait = entry.wait();
            let index = self.places.all.half_open.insert(entry);
            self.places.insert(&self.shared.secrets, Place::HalfOpen(index));
            self.half_deadlines.arm(index, now + wait);
        }
        self.answer(now, network, &tuple, handle, &answer);
    }

    /// Sends SYN and ACK.
    fn answer(&mut self, now: Instant, network: &mut dyn Network, tuple: &Tuple, handle: Handle, answer: &Answer) {
        let Ok(socket) = self.places.socket(handle) else { return };
        let settings: &Settings = socket.settings();
        let Ok(route) = network.route(tuple.remote(), Some(tuple.local()), settings.interface) else { return };
        let limit = settings.receive_limit.unwrap_or(self.shared.limits.first_receive_queue);
        let size = route.payload.saturating_sub(20).min(settings.segment_size.unwrap_or(u16::MAX));
        let shift = shift_for(limit.max(self.shared.limits.receive_window));
        let theirs = &answer.options;
        let options = Options {
            segment_size: Some(size),
            window_scale: theirs.window_scale.map(|_| shift),
            sack_permitted: theirs.sack_permitted,
            timestamps: theirs.timestamps.map(|clocks| Timestamps { value: answer.clock, echo: clocks.value }),
            ..Options::default()
        };
        let mut flags = Flags::SYN | Flags::ACK;
        flags.set(Flags::ECE, answer.notified);
        let words = Words {
            sequence: answer.first,
            acknowledgment: answer.theirs + 1,
            flags,
            window: first_window(limit) as u16,
            urgent: 0,
            options: &options,
        };
        self.shared.statistics.segments_sent += 1;
        send_alone(now, network, tuple, route.into(), wire::packet(tuple, &words));
    }

    /// The answer again: RFC 9293, 3.8.3; or the end of the wait.
    pub(super) fn repeat_answer(&mut self, now: Instant, network: &mut dyn Network, index: u32) {
        let Some(entry) = self.places.all.half_open.get_mut(index) else { return };
        if entry.tries >= listen::TRIES {
            return self.forget_half_open(index);
        }
        entry.tries += 1;
        let again = now + entry.wait();
        let deferred = entry.said.contains(Said::DEFERRED);
        let (tuple, handle, answer) = (entry.tuple, entry.listener, self.answer_of(index, now));
        self.half_deadlines.arm(index, again);
        let Some(answer) = answer else { return };
        if self.places.listener(handle).is_none() {
            return self.forget_half_open(index);
        }
        if !deferred {
            self.answer(now, network, &tuple, handle, &answer);
        }
    }

    fn answer_of(&self, index: u32, now: Instant) -> Option<Answer> {
        let entry = self.places.all.half_open.get(index)?;
        let clock = (now.as_millis() as u32).wrapping_add(self.shared.secrets.clock_offset(&entry.tuple));
        let notified = entry.said.contains(Said::NOTIFIED);
        Some(Answer { first: entry.first, theirs: entry.theirs, options: entry.options(), notified, clock })
    }

    pub(super) fn forget_half_open(&mut self, index: u32) {
        self.half_deadlines.remove(index);
        self.places.remove(&self.shared.secrets, Place::HalfOpen(index));
        let Some(entry) = self.places.all.half_open.remove(index) else { return };
        if let Some(listener) = self.places.listener(entry.listener) {
            listener.half_open = listener.half_open.saturating_sub(1);
        }
    }

    /// A segment for a half-open connection: RFC 9293, 3.10.7.4 in SYN-RECEIVED, and RFC 5961.
    pub(super) fn receive_half_open(&mut self, now: Instant, network: &mut dyn Network, index: u32, segment: Segment) {
        let Some(entry) = self.places.all.half_open.get(index) else { return };
        let (tuple, handle, first, theirs) = (entry.tuple, entry.listener, entry.first, entry.theirs);
        if segment.has(Flags::RST) {
            if segment.sequence == theirs + 1 {
                self.forget_half_open(index);
            }
            return;
        }
        if segment.has(Flags::SYN) && !segment.has(Flags::ACK) {
            // One with another number is told what is known: if it is no forgery, its sender resets (RFC 5961, 4).
            if let Some(answer) = self.answer_of(index, now) {
                self.answer(now, network, &tuple, handle, &answer);
            }
            return;
        }
        let in_window = segment.sequence.distance_from(theirs + 1);
        if !segment.has(Flags::ACK) || segment.has(Flags::SYN) || !(0..=65_535).contains(&in_window) {
            return;
        }
        if segment.acknowledgment != first + 1 {
            let path = self.path_to(network, &tuple, 0);
            let mut cx = Context { now, network, shared: &mut self.shared };
            return path.map_or((), |path| crate::connection::reset_reply(&mut cx, &tuple, &segment, path));
        }
        self.complete(now, network, index, segment);
    }

    fn path_to(&self, network: &mut dyn Network, tuple: &Tuple, interface: u32) -> Option<Path> {
        network.route(tuple.remote(), Some(tuple.local()), interface).ok().map(Path::from)
    }

    /// The handshake is over: a socket, if the listener has room for it.
    fn complete(&mut self, now: Instant, network: &mut dyn Network, index: u32, segment: Segment) {
        let Some(entry) = self.places.all.half_open.get_mut(index) else { return };
        let (handle, tuple) = (entry.listener, entry.tuple);
        let Ok(Socket::Listener(listener)) = self.places.socket(handle) else {
            return self.forget_half_open(index);
        };
        let deferred = listener.settings.defer_accept && segment.length == 0;
        let full = listener.is_full();
        let Some(entry) = self.places.all.half_open.get_mut(index) else { return };
        if deferred {
            entry.said.insert(Said::DEFERRED);
            return;
        }
        if full {
            // The answer will be sent again, and so will this acknowledgment.
            self.shared.statistics.accept_overflows += 1;
            return;
        }
        let (first, theirs, options) = (entry.first, entry.theirs, entry.options());
        let (notified, round_trip) = (entry.said.contains(Said::NOTIFIED), entry.round_trip(now));
        self.forget_half_open(index);
        let opened = Opened { tuple, first, theirs, options, notified, window: segment.window, round_trip };
        self.accept_passive(now, network, handle, &opened, segment);
    }

    /// Whether a listener has sent cookies of late.
    pub(super) fn takes_cookies(&mut self, handle: Handle, now: Instant) -> bool {
        self.places.listener(handle).is_some_and(|listener| listener.has_sent_cookies(now))
    }

    /// An acknowledgment that may answer a cookie. `false`: it does not.
    pub(super) fn receive_cookie(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        tuple: &Tuple,
        handle: Handle,
        segment: Segment,
    ) -> bool {
        let (first, theirs) = (segment.acknowledgment - 1, segment.sequence - 1);
        let said = open_cookie(&self.shared.secrets, now, tuple, first, theirs, &segment.options);
        let Some((options, notified)) = said else {
            self.shared.statistics.cookies_refused += 1;
            return false;
        };
        if self.places.listener(handle).is_none_or(|listener| listener.is_full()) {
            self.shared.statistics.accept_overflows += 1;
            return true;
        }
        self.shared.statistics.cookies_accepted += 1;
        let (tuple, window) = (*tuple, segment.window);
        let opened = Opened { tuple, first, theirs, options, notified, window, round_trip: None };
        self.accept_passive(now, network, handle, &opened, segment);
        true
    }

    /// A connection whose handshake the last acknowledgment ends.
    fn accept_passive(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        listener: Handle,
        opened: &Opened,
        mut segment: Segment,
    ) {
        if let Some(index) = self.admit(now, network, listener, opened) {
            self.with(now, network, index, |connection, cx| connection.receive(cx, &mut segment));
        }
    }

    /// A new connection of a listener's, which waits to be accepted: its index. None if there are too many sockets.
    pub(super) fn admit(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        listener: Handle,
        opened: &Opened,
    ) -> Option<u32> {
        let settings = self.places.socket(listener).ok()?.settings().clone();
        let path = self.path_to(network, &opened.tuple, settings.interface)?;
        if self.places.all.sockets.len() >= self.shared.limits.sockets {
            self.shared.statistics.memory_refusals += 1;
            return None;
        }
        self.shared.statistics.passive_opens += 1;
        let clock = self.shared.secrets.clock_offset(&opened.tuple);
        let Opened { tuple, first, theirs, options, notified, window, round_trip } = *opened;
        let generation = self.generation();
        let mut cx = Context { now, network, shared: &mut self.shared };
        let handle = Handle { index: u32::MAX, generation };
        let passive =
            Passive { tuple, handle, settings, path, first, theirs, options, notified, clock, window, round_trip };
        let mut connection = Connection::passive(&mut cx, passive);
        // The cookie's clock was rounded down: the peer's echo stays valid, as ours only goes on.
        connection.marks.insert(Marks::UNACCEPTED);
        let index = self.places.all.sockets.insert(Socket::Connection(connection.into()));
        let handle = Handle { index, generation };
        if let Some(connection) = self.places.connection(index) {
            connection.handle = handle;
        }
        self.link(index);
        self.enqueue(listener, handle);
        Some(index)
    }

    /// A connection waits to be accepted.
    fn enqueue(&mut self, listener: Handle, handle: Handle) {
        let Some(at) = self.places.listener(listener) else { return };
        at.queue.push_back(handle);
        if !core::mem::replace(&mut at.told, true) {
            self.shared.events.push(listener);
        }
    }
}
