//! A segment has come: RFC 9293, 3.10.7; RFC 5961; RFC 7323, 5.

use packets::tcp::{Flags, SequenceNumber};

use super::{Challenges, Connection, Marks};
use crate::{Error, State, congestion::Congestion, context::Context, segment::Segment};

/// RFC 7323, 5.5: after so long TS.Recent says nothing any more. In milliseconds, 24 days.
const CLOCK_IS_OLD: u32 = 24 * 24 * 3600 * 1000;
/// A segment out of the window without data is answered so often, in milliseconds: two stacks that disagree must not
/// answer each other for ever.
const ANSWER_EVERY: u32 = 500;
/// Challenges per second and connection: between half of it and half as much again.
const CHALLENGES: u32 = 10;

impl<C: Congestion> Connection<C> {
    /// Takes a segment.
    pub fn receive(&mut self, cx: &mut Context<'_>, segment: &mut Segment) {
        match self.state {
            State::SynSent => self.receive_in_syn_sent(cx, segment),
            State::Closed | State::Listen | State::TimeWait => {}
            _ => self.receive_synchronized(cx, segment),
        }
    }

    fn receive_synchronized(&mut self, cx: &mut Context<'_>, segment: &mut Segment) {
        self.alive = cx.now;
        if let Some(rare) = self.rare.as_deref_mut() {
            rare.probes = 0;
        }
        let predicted = self.is_predicted(segment);
        if predicted {
            cx.shared.statistics.predicted += 1;
        } else if !self.is_welcome(cx, segment) {
            return;
        }
        if self.state == State::SynReceived && !self.open_up(cx, segment) {
            return;
        }
        if !self.has_good_acknowledgment(cx, segment) {
            return;
        }
        self.remember_clock(cx, segment);
        self.note_congestion(segment);
        if !predicted || !self.acknowledge_only(cx, segment) {
            self.acknowledge(cx, segment);
            self.after_fin_acknowledged(cx);
        }
        if self.state == State::Closed {
            return;
        }
        if segment.has(Flags::URG) {
            self.note_urgent(cx, segment);
        }
        let had_payload = segment.span() > 0;
        if had_payload {
            self.take_payload(cx, segment);
        }
        if self.state != State::Closed {
            self.output(cx);
            self.tell_room(cx);
        }
    }

    /// Takes a segment that is as most are, with its payload beside it; `false`: it is another, and nothing was done.
    /// What [`Connection::receive`] would do otherwise, in few steps.
    #[inline]
    pub fn receive_usual(&mut self, cx: &mut Context<'_>, segment: &Segment, payload: &[u8]) -> bool {
        if !self.is_predicted(segment) || self.has_troubles() || cx.shared.is_full() {
            return false;
        }
        let ack = segment.acknowledgment;
        let same = u32::from(segment.window) << self.send.shift == self.send.window;
        if ack == self.send.una && same && self.send.records.is_empty() {
            self.update_window(segment);
        } else if !self.acknowledge_only(cx, segment) {
            return false;
        }
        self.alive = cx.now;
        if let Some(rare) = self.rare.as_deref_mut() {
            rare.probes = 0;
        }
        cx.shared.statistics.predicted += 1;
        self.remember_clock(cx, segment);
        if !payload.is_empty() {
            self.take_usual_payload(cx, segment, payload);
        }
        self.output(cx);
        self.tell_room(cx);
        true
    }

    /// Whether what comes may be more than the next bytes for its program.
    fn has_troubles(&self) -> bool {
        let fin = || self.rare.as_deref().is_some_and(|rare| rare.fin.is_some());
        self.is(Marks::ORPHAN.union(Marks::NOTIFIED)) || self.receive.early.is_some() || fin()
    }

    /// Header prediction: what nearly all segments of an established connection are. The next bytes or none, ACK and
    /// nothing else, and a clock that goes on.
    #[inline]
    fn is_predicted(&self, segment: &Segment) -> bool {
        let flags = segment.flags - Flags::PSH;
        self.state == State::Established
            && flags == Flags::ACK
            && segment.sequence == self.receive.next
            && segment.end().is_at_most(self.receive.window_end)
            && self.has_good_clock(segment)
    }

    /// RFC 7323, 5.3: the clock of a segment does not go back. One without a clock is taken, as Linux does: RFC 7323,
    /// 3.2 would have it dropped, but there are boxes on paths that take the option off.
    fn has_good_clock(&self, segment: &Segment) -> bool {
        if !self.is(Marks::TIMESTAMPS) {
            return true;
        }
        segment.options.timestamps.is_none_or(|clocks| clocks.value.wrapping_sub(self.receive.recent) as i32 >= 0)
    }

    /// The checks before the acknowledgment, in the order of RFC 9293, 3.10.7.4. `false`: it is dealt with.
    fn is_welcome(&mut self, cx: &mut Context<'_>, segment: &mut Segment) -> bool {
        let reset = segment.has(Flags::RST);
        if !reset && !self.passes_clock(cx, segment) {
            return false;
        }
        if !self.is_in_window(segment) {
            if !reset {
                self.answer_stray(cx, segment);
            }
            return false;
        }
        if reset {
            self.receive_reset(cx, segment);
            return false;
        }
        if segment.has(Flags::SYN) && !self.is_crossed(segment) {
            if self.state == State::SynReceived && segment.end() == self.receive.next {
                self.emit_syn(cx);
            } else {
                self.challenge(cx); // RFC 5961, 4.
            }
            return false;
        }
        segment.has(Flags::ACK)
    }

    /// The SYN and ACK of the other side, when both have opened at once: its SYN is known already.
    fn is_crossed(&self, segment: &mut Segment) -> bool {
        let crossed = self.state == State::SynReceived
            && segment.has(Flags::ACK)
            && segment.sequence + 1 == self.receive.next
            && segment.acknowledgment == self.send.next;
        if crossed {
            segment.flags.remove(Flags::SYN);
            segment.sequence += 1;
        }
        crossed
    }

    /// PAWS: RFC 7323, 5.3. `false`: the segment is old.
    fn passes_clock(&mut self, cx: &mut Context<'_>, segment: &Segment) -> bool {
        if self.has_good_clock(segment) {
            return true;
        }
        let idle = cx.millis().wrapping_sub(self.receive.recent_at);
        if idle > CLOCK_IS_OLD {
            return true;
        }
        cx.shared.statistics.old_timestamps += 1;
        self.answer_stray(cx, segment);
        false
    }

    /// RFC 9293, 3.10.7.4, first. What was told before counts as in the window too, for the acknowledgment it carries
    /// may be new; so does what begins at the window's end, for an acknowledgment must come through a closed one.
    fn is_in_window(&self, segment: &Segment) -> bool {
        !segment.end().is_before(self.receive.told) && segment.sequence.is_at_most(self.receive.window_end)
    }

    /// Answers what is out of the window: RFC 9293, 3.10.7.4. Duplicates of data always, other things not too often.
    fn answer_stray(&mut self, cx: &mut Context<'_>, segment: &Segment) {
        if segment.has(Flags::SYN) {
            return self.challenge(cx);
        }
        if segment.length == 0 && self.answered_of_late(cx) {
            return;
        }
        if segment.length > 0 {
            self.note_duplicate(segment.sequence, segment.sequence + segment.length);
        }
        self.emit_acknowledgment(cx);
    }

    fn answered_of_late(&mut self, cx: &Context<'_>) -> bool {
        let now = cx.millis();
        let challenges = &mut self.rare().challenges;
        let late = challenges.answered.is_some_and(|answered| now.wrapping_sub(answered) < ANSWER_EVERY);
        if !late {
            challenges.answered = Some(now);
        }
        late
    }

    /// What came twice is told with the next acknowledgment: RFC 2883.
    pub fn note_duplicate(&mut self, first: SequenceNumber, end: SequenceNumber) {
        if self.is(Marks::SACK) && first.is_before(end) {
            self.rare().duplicate = Some((first, end));
        }
    }

    /// RST: RFC 5961, 3.2. Only the number that is next resets; another one in the window is challenged.
    fn receive_reset(&mut self, cx: &mut Context<'_>, segment: &Segment) {
        if segment.sequence != self.receive.next {
            if self.receive.next.is_before(segment.sequence) {
                self.challenge(cx);
            }
            return;
        }
        cx.shared.statistics.resets_received += 1;
        let error = match self.state {
            State::SynReceived => Some(Error::Refused),
            State::CloseWait => Some(Error::Closed),
            State::Closing | State::LastAck | State::TimeWait => None,
            _ => Some(Error::Reset),
        };
        self.finish(cx, error);
    }

    /// An acknowledgment that asks who sent that: RFC 5961, 7 limits them. The budget is the connection's own and
    /// random, so that nobody can count what is left of it (CVE-2016-5696).
    pub fn challenge(&mut self, cx: &mut Context<'_>) {
        let second = (cx.now.as_millis() / 1000) as u32 + 1;
        let budget = (CHALLENGES / 2 + cx.shared.secrets.below(CHALLENGES)) as u8;
        let challenges = &mut self.rare().challenges;
        if challenges.second != second {
            *challenges = Challenges { second, left: budget, ..*challenges };
        }
        let Some(left) = challenges.left.checked_sub(1) else { return };
        challenges.left = left;
        cx.shared.statistics.challenges_sent += 1;
        self.emit_acknowledgment(cx);
    }

    /// TS.Recent: RFC 7323, 4.3.
    #[inline]
    fn remember_clock(&mut self, cx: &Context<'_>, segment: &Segment) {
        let Some(clocks) = segment.options.timestamps.filter(|_| self.is(Marks::TIMESTAMPS)) else { return };
        let goes_on = clocks.value.wrapping_sub(self.receive.recent) as i32 >= 0;
        let idle = cx.millis().wrapping_sub(self.receive.recent_at) > CLOCK_IS_OLD;
        if (goes_on || idle) && segment.sequence.is_at_most(self.receive.told) {
            (self.receive.recent, self.receive.recent_at) = (clocks.value, cx.millis());
        }
    }

    /// RFC 3168, 6.1.3: a mark is echoed until the sender says that it has slowed down.
    fn note_congestion(&mut self, segment: &Segment) {
        if !self.is(Marks::NOTIFIED) || segment.length == 0 {
            return;
        }
        if segment.has(Flags::CWR) {
            self.marks.remove(Marks::ECHO);
        }
        if segment.congested && !self.is(Marks::ECHO) {
            self.marks.insert(Marks::ECHO | Marks::ACK_NOW);
        }
    }
}
