//! The acknowledgment that nearly every segment of a connection without trouble brings: of all that was under way, which
//! is one packet that was sent once. It is done here in few steps; [`Connection::acknowledge`] would do the same.

use packets::tcp::SequenceNumber;

use super::{Connection, Marks, NEVER, acknowledge::News};
use crate::{
    congestion::Congestion,
    context::Context,
    info::Phase,
    recovery::Doubt,
    segment::Segment,
    send::{Fate, Record},
};

/// The network need not hear more often that the other side answers, in milliseconds: neighbours are believed for longer.
const CONFIRM_EVERY: u32 = 100;

impl<C: Congestion> Connection<C> {
    /// Takes the acknowledgment of a segment that was predicted; `false`: it is another one, and nothing was done.
    pub fn acknowledge_only(&mut self, cx: &mut Context<'_>, segment: &Segment) -> bool {
        let ack = segment.acknowledgment;
        let Some(record) = self.only_record(ack) else { return false };
        if !self.is_calm() || !segment.options.sack.as_slice().is_empty() {
            return false;
        }
        self.update_window(segment);
        let round_trip = cx.now.micros_since(record.sent) as u32;
        if self.send.recovery.rack.delivered(&record, cx.now, None, false) {
            self.send.recovery.rack.overtaken(record.start, self.send.size);
        }
        self.send.records.forget_only();
        self.forget_sent(cx, ack);
        self.send.round_trip.sample(round_trip, cx.millis());
        if self.send.recovery.point.is_at_most(ack) {
            self.send.recovery.point = ack;
        }
        let newest = Some(round_trip);
        self.grow(cx, &News { advanced: true, delivered: record.segments.into(), newest, ..News::default() });
        self.send.timer_at = NEVER;
        let now = cx.millis();
        if now.wrapping_sub(self.path.confirmed_at) >= CONFIRM_EVERY {
            self.path.confirmed_at = now;
            cx.network.confirm(cx.now, self.tuple.remote(), self.path.interface);
        }
        true
    }

    /// The record of all that is under way, if an acknowledgment is of it and it was sent once.
    fn only_record(&self, ack: SequenceNumber) -> Option<Record> {
        let records = &self.send.records;
        let record = *records.get(0).filter(|_| records.len() == 1)?;
        let plain = (record.fate - Fate::PUSHED).is_empty();
        (plain && ack == self.send.next && record.end == ack && record.start == self.send.una).then_some(record)
    }

    /// Nothing is lost, doubted, searched or urgent.
    fn is_calm(&self) -> bool {
        const TROUBLE: Marks = Marks::SEARCHING.union(Marks::URGENT).union(Marks::NOTIFIED).union(Marks::FIN_SENT);
        let recovery = &self.send.recovery;
        recovery.phase == Phase::Open
            && recovery.duplicates == 0
            && recovery.doubt == Doubt::None
            && recovery.probe.is_none()
            && self.episode.is_none()
            && !self.is(TROUBLE)
    }
}
