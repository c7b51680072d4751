//! Closing: RFC 9293, 3.6 and 3.10.4; resets: 3.5.2 and 3.10.5.

use packets::tcp::{Flags, Options, SequenceNumber};

use super::{Connection, Marks, NEVER, Path};
use crate::{
    Error, Outgoing, State,
    congestion::Congestion,
    context::Context,
    receive,
    segment::Segment,
    send,
    tuple::Tuple,
    wire::{self, Words},
};

/// Answers a segment that belongs to no connection: RFC 9293, 3.10.7.1.
pub fn reset_reply(cx: &mut Context<'_>, tuple: &Tuple, segment: &Segment, path: Path) {
    if segment.has(Flags::RST) {
        return;
    }
    cx.shared.statistics.resets_sent += 1;
    cx.shared.statistics.segments_sent += 1;
    let (sequence, acknowledgment, flags) = if segment.has(Flags::ACK) {
        (segment.acknowledgment, SequenceNumber(0), Flags::RST)
    } else {
        (SequenceNumber(0), segment.end(), Flags::RST | Flags::ACK)
    };
    let options = Options::default();
    let words = Words { sequence, acknowledgment, flags, window: 0, urgent: 0, options: &options };
    let mut packet = wire::packet(tuple, &words);
    wire::seal(tuple, &mut packet, 0, u16::MAX);
    let mut outgoing = Outgoing {
        from: tuple.local(),
        to: tuple.remote(),
        interface: path.interface,
        traffic_class: 0,
        hop_limit: 0,
        probe: false,
        packet,
    };
    let _ = cx.network.send(cx.now, &mut outgoing);
}

impl<C: Congestion> Connection<C> {
    /// No more is written: FIN follows what is queued.
    pub fn close_writing(&mut self, cx: &mut Context<'_>) {
        let next = match self.state {
            State::SynSent => return self.finish(cx, None),
            State::Established | State::SynReceived => State::FinWait1,
            State::CloseWait => State::LastAck,
            _ => return,
        };
        self.marks.insert(Marks::FIN_QUEUED);
        self.marks.remove(Marks::MORE);
        if self.state != State::SynReceived {
            self.state = next;
        }
        if !self.is(Marks::HANDS_END) {
            self.output(cx);
        }
    }

    /// Its owner goes. What the other side still sends is nobody's.
    pub fn close(&mut self, cx: &mut Context<'_>) {
        let unread = !self.receive.queue.is_empty();
        self.marks.insert(Marks::ORPHAN | Marks::READ_SHUT);
        cx.shared.memory -= self.receive.queue.len();
        self.receive.queue = receive::Queue::default();
        let at_once = self.settings.linger.is_some_and(|span| span.is_zero());
        let too_many = cx.shared.orphans > cx.shared.limits.orphans;
        if self.is_synchronized() && (unread || at_once || too_many) {
            // RFC 2525, 2.17: the other side shall not think that all was read.
            cx.shared.statistics.orphans_reset += u64::from(too_many);
            return self.abort(cx, None);
        }
        self.close_writing(cx);
        if self.state == State::FinWait2 {
            self.slow_at = cx.now + self.settings.fin_timeout;
        }
    }

    /// What has still to arrive of one that its owner has ended: its bytes, and its end as one.
    pub fn leaving(&self) -> u64 {
        let ended = matches!(self.state, State::SynReceived | State::FinWait1 | State::Closing | State::LastAck);
        if ended && self.is(Marks::ORPHAN) { self.send.queue.len() as u64 + 1 } else { 0 }
    }

    /// ABORT: a reset, and nothing is left. RFC 9293, 3.10.5.
    pub fn abort(&mut self, cx: &mut Context<'_>, error: Option<Error>) {
        if matches!(
            self.state,
            State::SynReceived | State::Established | State::FinWait1 | State::FinWait2 | State::CloseWait
        ) || matches!(self.state, State::Closing | State::LastAck) && self.is(Marks::ORPHAN)
        {
            cx.shared.statistics.resets_sent += 1;
            self.emit(cx, self.send.next, 0, Flags::RST);
        }
        self.finish(cx, error);
    }

    /// It is over: CLOSED. What has come may still be read.
    pub fn finish(&mut self, cx: &mut Context<'_>, error: Option<Error>) {
        self.state = State::Closed;
        self.error = self.error.or(error);
        let early = self.receive.early.take().map_or(0, |early| early.held());
        cx.shared.memory -= self.send.queue.len() + early;
        self.send.queue = send::Queue::new(self.send.queue.end());
        self.send.pieces = send::Pieces::default();
        self.send.records.clear();
        self.rest();
        self.tell(cx);
    }

    /// All timers stop.
    fn rest(&mut self) {
        (self.send.timer_at, self.receive.owed_at, self.slow_at) = (NEVER, NEVER, NEVER);
        self.marks.remove(Marks::ACK_NOW | Marks::ACK_PENDING | Marks::PACED);
    }

    /// Both FINs are acknowledged. The table keeps the rest.
    pub fn enter_time_wait(&mut self) {
        self.state = State::TimeWait;
        self.rest();
    }

    /// Our FIN is acknowledged: RFC 9293, 3.10.7.4, fifth.
    pub fn after_fin_acknowledged(&mut self, cx: &mut Context<'_>) {
        if !self.is(Marks::FIN_SENT) || self.send.una != self.send.next || self.send.una == self.send.queue.end() {
            return;
        }
        match self.state {
            State::FinWait1 => {
                self.state = State::FinWait2;
                if self.is(Marks::ORPHAN) {
                    self.slow_at = cx.now + self.settings.fin_timeout;
                }
                self.tell(cx);
            }
            State::Closing => {
                self.enter_time_wait();
                self.tell(cx);
            }
            State::LastAck => self.finish(cx, None),
            _ => {}
        }
    }
}
