//! Bytes that go from a socket of this machine to another one of it, without segments. Both ends are afterwards as if
//! one segment had gone and been acknowledged.

use packets::tcp::{Options, SequenceNumber};

use super::{Connection, Marks, NEVER};
use crate::{State, congestion::Congestion, context::Context, receive::Queue};

impl<C: Congestion> Connection<C> {
    /// Whether so many bytes may be handed over, and not be sent: all before them has arrived, and the other side has
    /// room.
    pub fn may_hand_over(&self, length: usize) -> bool {
        self.path.near && self.is_idle() && self.is_plain() && (1..=self.send.window as usize).contains(&length)
    }

    /// Whether it may take over so many bytes, of which the first one has this number.
    pub fn may_take_over(&self, first: SequenceNumber, length: usize) -> bool {
        const OVER: Marks = Marks::FIN_RECEIVED.union(Marks::READ_SHUT).union(Marks::ORPHAN);
        self.state == State::Established
            && self.receive.next == first
            && length <= (self.receive.window_end - first) as usize
            && self.receive.early.is_none()
            && self.error.is_none()
            && !self.is(OVER)
    }

    /// Takes bytes over. The window behind them, in bytes.
    pub fn take_over(&mut self, cx: &mut Context<'_>, length: usize, put: impl FnOnce(&mut Queue)) -> u32 {
        put(&mut self.receive.queue);
        cx.shared.memory += length;
        let receive = &mut self.receive;
        receive.next += length as u32;
        (receive.told, receive.owed_at, receive.heard) = (receive.next, NEVER, cx.now);
        let next = receive.next;
        // Or the number would be taken for a later one once half of all numbers have passed.
        self.send.window_at.0 = next;
        self.alive = cx.now;
        self.totals.0 += length as u64;
        self.marks.remove(Marks::ACK_NOW | Marks::ACK_PENDING);
        self.marks.insert(Marks::PUSHED);
        self.offer(cx);
        self.tell(cx);
        self.receive.window_end - next
    }

    /// Bytes were taken over, and the window behind them is this. All that is kept of numbers moves along: one that
    /// stayed would be taken for a later one once half of all numbers have passed.
    pub fn handed_over(&mut self, cx: &Context<'_>, length: usize, window: u32) {
        let send = &mut self.send;
        send.queue.pass(length as u32);
        let next = send.next + length as u32;
        (send.una, send.next, send.pushed, send.urgent) = (next, next, next, next);
        (send.small_until, send.round_end, send.repair_from, send.most_until) = (next, next, next, next);
        send.recovery.point = next;
        send.recovery.rack.pass(next);
        send.window_at.1 = next;
        send.window = window;
        send.largest_window = send.largest_window.max(window);
        (send.last_sent, self.alive) = (cx.now, cx.now);
        self.totals.1 += length as u64;
    }

    /// Whether its end may be handed over, and not be sent: all that it has sent has arrived.
    pub fn may_hand_over_end(&self) -> bool {
        self.path.near
            && matches!(self.state, State::Established | State::CloseWait)
            && self.send.queue.len() == 0
            && self.send.records.is_empty()
            && self.send.pieces.first().is_none()
            && self.error.is_none()
            && self.is_plain()
    }

    /// Whether it may take over the end of the other side, which has this number.
    pub fn may_take_over_end(&self, number: SequenceNumber) -> bool {
        matches!(self.state, State::Established | State::FinWait2)
            && self.receive.next == number
            && self.receive.early.is_none()
            && !self.is(Marks::FIN_RECEIVED)
    }

    /// The other side sends no more.
    pub fn take_over_end(&mut self, cx: &mut Context<'_>) {
        let receive = &mut self.receive;
        receive.next += 1;
        receive.window_end = receive.window_end.later(receive.next);
        (receive.told, receive.owed_at) = (receive.next, NEVER);
        self.send.window_at.0 = receive.next;
        self.alive = cx.now;
        self.marks.remove(Marks::ACK_NOW | Marks::ACK_PENDING);
        self.marks.insert(Marks::FIN_RECEIVED);
        if self.state == State::Established {
            self.state = State::CloseWait;
        } else {
            self.enter_time_wait();
        }
        self.tell(cx);
    }

    /// Its end was asked for, and has not been handed over yet.
    pub fn hands_over_end(&mut self) -> bool {
        let hands = self.is(Marks::HANDS_END);
        self.marks.remove(Marks::HANDS_END);
        hands && matches!(self.state, State::FinWait1 | State::LastAck) && !self.is(Marks::FIN_SENT)
    }

    /// Its end was taken over.
    pub fn end_handed_over(&mut self, cx: &mut Context<'_>) {
        self.marks.insert(Marks::FIN_SENT);
        self.send.next = self.send.queue.end() + 1;
        self.send.una = self.send.next;
        self.send.window_at.1 = self.send.next;
        (self.send.last_sent, self.alive) = (cx.now, cx.now);
        self.after_fin_acknowledged(cx);
    }

    /// Whether it may meet a listener of this machine, and need not send its SYN.
    pub fn may_meet(&self) -> bool {
        let asks = self.settings.congestion_notification;
        self.path.near && self.state == State::SynSent && self.opening().is_none() && !asks
    }

    /// The other end is there, whose first number this is and which says this: its window.
    pub fn met(&mut self, cx: &mut Context<'_>, first: SequenceNumber, options: &Options) -> u32 {
        self.take_options(cx, options, first);
        self.send.round_trip.sample(1, cx.millis());
        self.established(cx);
        self.tell(cx);
        self.offer(cx);
        self.receive.window_end - self.receive.next
    }

    /// The other side's window, as it is told first.
    pub fn learn_window(&mut self, window: u32) {
        (self.send.window, self.send.largest_window) = (window, window);
    }
}
