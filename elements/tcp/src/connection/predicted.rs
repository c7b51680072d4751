//! The acknowledgment that nearly every segment of a connection without trouble brings: of all that was under way,
//! which is a packet or a few that were sent once. It is done here in few steps; [`Connection::acknowledge`] would do
//! the same.

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

/// The network need not hear more often that the other side answers, in milliseconds: neighbours are believed for
/// longer.
const CONFIRM_EVERY: u32 = 100;

/// Packets that are a few.
const FEW: usize = 4;

impl<C: Congestion> Connection<C> {
    /// Takes the acknowledgment of a segment that was predicted; `false`: it is another one, and nothing was done.
    pub fn acknowledge_only(&mut self, cx: &mut Context<'_>, segment: &Segment) -> bool {
        let ack = segment.acknowledgment;
        if !self.is_of_all(ack) || !self.is_calm() || !segment.options.sack.as_slice().is_empty() {
            return false;
        }
        self.update_window(segment);
        let (size, records, rack) = (self.send.size, &mut self.send.records, &mut self.send.recovery.rack);
        let (mut oldest, mut newest) = (None, None);
        for record in (0..records.len()).map_while(|index| records.get(index)) {
            newest = Some(cx.now.micros_since(record.sent) as u32);
            oldest = oldest.or(newest);
            if rack.delivered(record, cx.now, None, false) {
                rack.overtaken(record.start, size);
            }
        }
        let delivered = records.sent;
        records.forget_all();
        self.forget_sent(cx, ack);
        self.send.round_trip.sample(oldest.unwrap_or(0), cx.millis());
        if self.send.recovery.point.is_at_most(ack) {
            self.send.recovery.point = ack;
        }
        self.grow(cx, &News { advanced: true, delivered, newest, ..News::default() });
        self.send.timer_at = NEVER;
        let now = cx.millis();
        if now.wrapping_sub(self.path.confirmed_at) >= CONFIRM_EVERY {
            self.path.confirmed_at = now;
            cx.network.confirm(cx.now, self.tuple.remote(), self.path.interface);
        }
        true
    }

    /// Whether an acknowledgment is of all that is under way, which is a few packets that were sent once.
    fn is_of_all(&self, ack: SequenceNumber) -> bool {
        let records = &self.send.records;
        let plain = |record: &Record| (record.fate - Fate::PUSHED).is_empty();
        ack == self.send.next
            && (1..=FEW).contains(&records.len())
            && records.get(0).is_some_and(|first| first.start == self.send.una)
            && (0..records.len()).all(|index| records.get(index).is_some_and(plain))
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
