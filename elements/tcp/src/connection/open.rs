//! Opening: RFC 9293, 3.5 and 3.10.7.3; the options of SYN segments: RFC 7323, RFC 2018, RFC 3168.

use alloc::sync::Arc;

use packets::{
    Instant,
    tcp::{Flags, Options, SequenceNumber},
};

use super::{Connection, Marks, NEVER, Path, Receiver, Sender, Timer, data::QUICK, first_window, shift_for};
use crate::{
    Error, Handle, Limits, PathProbing, Settings, State,
    congestion::{Congestion, Window},
    context::Context,
    info::Hold,
    receive,
    recovery::Recovery,
    round_trip::{FIRST_TIMEOUT, RoundTrip},
    segment::Segment,
    send,
    tuple::Tuple,
    wire::{self},
};

/// What sizes there are if the other side says nothing: RFC 9293, 3.7.1.
const SIZE_V4: u16 = 536;
const SIZE_V6: u16 = 1220;
/// No other side gets smaller segments than this: each costs a header and a look (CVE-2019-11479).
const LEAST_SIZE: u16 = 48;

/// What a listener knows of a connection whose handshake is over.
#[derive(Debug)]
pub struct Passive {
    pub tuple: Tuple,
    pub handle: Handle,
    pub settings: Arc<Settings>,
    pub path: Path,
    /// Our first number and the other side's.
    pub first: SequenceNumber,
    pub theirs: SequenceNumber,
    /// What the SYN said.
    pub options: Options,
    pub notified: bool,
    pub clock: u32,
    /// The window of the last acknowledgment, not shifted.
    pub window: u16,
    /// A round trip in microseconds, if it was measured.
    pub round_trip: Option<u32>,
}

impl<C: Congestion> Connection<C> {
    /// One that has sent nothing yet.
    pub fn new(
        tuple: Tuple,
        handle: Handle,
        settings: Arc<Settings>,
        path: Path,
        first: SequenceNumber,
        limits: &Limits,
    ) -> Self {
        let limit = settings.receive_limit.unwrap_or(limits.first_receive_queue);
        let next = first + 1;
        let sender = Sender {
            una: first,
            next,
            window: 0,
            window_at: Default::default(),
            largest_window: 0,
            size: SIZE_V4,
            most: if tuple.is_v4() { SIZE_V4 } else { SIZE_V6 },
            shift: 0,
            timer: Timer::Retransmit,
            timer_at: NEVER,
            waiting_since: Instant::default(),
            congestion: Window::default(),
            policy: C::default(),
            records: send::Records::default(),
            queue: send::Queue::new(next),
            pieces: send::Pieces::default(),
            limit: limits.first_send_queue,
            pushed: next,
            recovery: Recovery::new(next),
            round_trip: RoundTrip::default(),
            small_until: next,
            urgent: next,
            round_end: next,
            repair_from: next,
            last_sent: Instant::default(),
            most_in_flight: 0,
            most_until: next,
            tries: 0,
            hold: Hold::Idle,
            hold_since: 0,
            busy: 0,
        };
        let receiver = Receiver {
            next: SequenceNumber(0),
            window_end: SequenceNumber(0),
            told: SequenceNumber(0),
            shift: 0,
            quick: QUICK,
            size: SIZE_V4,
            recent: 0,
            recent_at: 0,
            limit,
            queue: receive::Queue::default(),
            early: None,
            tuning: receive::Tuning::default(),
            round_trip: 0,
            owed_at: NEVER,
            heard: NEVER,
        };
        Self {
            send: sender,
            receive: receiver,
            tuple,
            state: State::Closed,
            marks: Marks::empty(),
            path,
            clock: 0,
            handle,
            error: None,
            slow_at: NEVER,
            settings,
            rare: None,
            episode: None,
            link: crate::table::NONE,
            alive: Instant::default(),
            totals: (0, 0),
        }
    }

    /// Is about to send the SYN: RFC 9293, 3.10.1.
    pub fn begin(&mut self, cx: &mut Context<'_>) {
        cx.shared.statistics.active_opens += 1;
        self.clock = cx.shared.secrets.clock_offset(&self.tuple);
        self.receive.shift = shift_for(self.receive.limit.max(cx.shared.limits.receive_window));
        self.state = State::SynSent;
        self.send.last_sent = cx.now;
    }

    /// Sends it.
    pub fn send_syn(&mut self, cx: &mut Context<'_>) {
        self.emit_syn(cx);
        (self.send.timer, self.send.timer_at) = (Timer::Retransmit, cx.now + FIRST_TIMEOUT);
    }

    /// A connection whose handshake a listener has done.
    pub fn passive(cx: &mut Context<'_>, passive: Passive) -> Self {
        let Passive { tuple, handle, settings, path, first, theirs, options, .. } = passive;
        let mut new = Self::new(tuple, handle, settings, path, first, &cx.shared.limits);
        new.clock = passive.clock;
        new.marks = Marks::UNACCEPTED | Marks::PASSIVE;
        new.marks.set(Marks::NOTIFIED, passive.notified);
        new.receive.shift = shift_for(new.receive.limit.max(cx.shared.limits.receive_window));
        new.take_options(cx, &options, theirs);
        new.send.window = u32::from(passive.window) << new.send.shift;
        new.receive.window_end = new.receive.next + first_window(new.receive.limit);
        if let Some(round_trip) = passive.round_trip {
            new.send.round_trip.sample(round_trip, cx.millis());
        }
        new.established(cx);
        new
    }

    /// What the other side's SYN says.
    pub(super) fn take_options(&mut self, cx: &Context<'_>, options: &Options, theirs: SequenceNumber) {
        self.receive.next = theirs + 1;
        self.receive.told = self.receive.next;
        self.receive.window_end = self.receive.next + first_window(self.receive.limit);
        self.send.most = options.segment_size.unwrap_or(self.send.most).max(LEAST_SIZE);
        self.marks.set(Marks::SACK, options.sack_permitted);
        self.marks.set(Marks::TIMESTAMPS, options.timestamps.is_some() && cx.shared.limits.timestamps);
        self.marks.set(Marks::SCALED, options.window_scale.is_some());
        match options.window_scale {
            Some(shift) => self.send.shift = shift,
            None => self.receive.shift = 0,
        }
        if let Some(clocks) = options.timestamps {
            (self.receive.recent, self.receive.recent_at) = (clocks.value, cx.millis());
        }
        self.set_size();
    }

    /// The payload of a full segment: what the other side takes, the path carries and the program wants.
    pub fn set_size(&mut self) {
        let path = self.path.payload.saturating_sub(wire::header_length(false) as u16);
        let size = self.send.most.min(path).min(self.settings.segment_size.unwrap_or(u16::MAX)).max(LEAST_SIZE);
        let options = wire::header_length(self.is(Marks::TIMESTAMPS)) - wire::header_length(false);
        self.send.size = size - options as u16;
        self.receive.size = self.receive.size.min(path.max(LEAST_SIZE));
    }

    /// Both sides know each other's numbers.
    pub(super) fn established(&mut self, cx: &mut Context<'_>) {
        self.state = State::Established;
        self.marks.insert(Marks::OPENED);
        self.send.una = self.send.next;
        self.send.window_at = (self.receive.next, self.send.una);
        self.send.largest_window = self.send.window;
        self.send.timer_at = NEVER;
        self.send.tries = 0;
        self.send.round_trip.backoff = 0;
        self.send.last_sent = cx.now;
        (self.alive, self.receive.heard) = (cx.now, NEVER);
        self.widen_queue(cx);
        self.set_keepalive(cx.now);
        if cx.shared.limits.path_probing == PathProbing::Always {
            self.search_path(cx);
        }
    }

    /// RFC 9293, 3.10.7.3.
    pub fn receive_in_syn_sent(&mut self, cx: &mut Context<'_>, segment: &mut Segment) {
        let answers = segment.has(Flags::ACK);
        if answers && !self.acknowledges_syn(segment.acknowledgment) {
            return self.refuse(cx, segment);
        }
        if segment.has(Flags::RST) {
            if answers {
                cx.shared.statistics.failed_opens += 1;
                self.finish(cx, Some(Error::Refused));
            }
            return;
        }
        if !segment.has(Flags::SYN) {
            return;
        }
        self.take_options(cx, &segment.options, segment.sequence);
        self.send.window = segment.window.into();
        let asked = self.settings.congestion_notification;
        let notified = segment.has(Flags::ECE) && (segment.has(Flags::CWR) != answers) && (asked || !answers);
        self.marks.set(Marks::NOTIFIED, notified);
        if !answers {
            // Both have opened: RFC 9293, 3.5, figure 7.
            self.state = State::SynReceived;
            self.send.tries = 0;
            self.emit_syn(cx);
            return;
        }
        if self.send.tries == 0 {
            let round_trip = cx.now.since(self.send.last_sent).as_micros() as u32;
            self.send.round_trip.sample(round_trip, cx.millis());
        }
        self.established(cx);
        self.opened_fast(cx, segment);
        segment.flags.remove(Flags::SYN);
        segment.sequence += 1;
        self.tell(cx);
        self.marks.insert(Marks::ACK_NOW);
        if segment.span() > 0 {
            self.take_payload(cx, segment);
        }
        self.output(cx);
    }

    /// An acknowledgment of something that was not sent, before the connection is open: RFC 9293, 3.10.7.3 and 3.5.2.
    fn refuse(&mut self, cx: &mut Context<'_>, segment: &Segment) {
        if !segment.has(Flags::RST) {
            super::reset_reply(cx, &self.tuple, segment, self.path);
        }
    }

    /// The acknowledgment of our SYN, when both have opened. `false`: it is something else.
    pub fn open_up(&mut self, cx: &mut Context<'_>, segment: &Segment) -> bool {
        if segment.acknowledgment != self.send.next {
            self.refuse(cx, segment);
            return false;
        }
        self.send.window = u32::from(segment.window) << self.send.shift;
        self.established(cx);
        if self.is(Marks::FIN_QUEUED) {
            self.state = State::FinWait1;
        }
        self.tell(cx);
        true
    }
}
