//! What has been sent and is not acknowledged: when, how often, and what is known of its fate.
//!
//! A record stands for one transmission, of one segment or of several that a device cuts. It is cut only between
//! segments, so there are never more records than segments in flight. Stretches that SACK has told become one record.

use alloc::collections::VecDeque;

use packets::{Instant, tcp::SequenceNumber};

bitflags::bitflags! {
    /// What is known of a record.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Fate: u8 {
        /// The other side holds it: RFC 2018.
        const SACKED = 1;
        /// It is held for lost.
        const LOST = 2;
        /// It has been sent again since it was held for lost.
        const RETRANSMITTED = 4;
        /// It has been sent again at any time.
        const REPEATED = 8;
        /// It ends with a write: its last segment has PSH, also when it goes again alone.
        const PUSHED = 16;
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Record {
    pub start: SequenceNumber,
    pub end: SequenceNumber,
    /// The last time that it was sent.
    pub sent: Instant,
    /// How many segments it is.
    pub segments: u16,
    /// The payload of each but the last.
    pub size: u16,
    pub fate: Fate,
}

impl Record {
    fn has(&self, fate: Fate) -> bool {
        self.fate.contains(fate)
    }

    /// Counts its segments anew, after its ends have moved.
    fn recount(&mut self) {
        let length = self.end - self.start;
        self.segments = length.div_ceil(u32::from(self.size).max(1)).clamp(1, u16::MAX.into()) as u16;
    }
}

/// The records in order, and sums over them, in segments.
#[derive(Debug, Default)]
pub struct Records {
    list: VecDeque<Record>,
    /// Sent and not acknowledged.
    pub sent: u32,
    /// Of these: told by SACK.
    pub sacked: u32,
    /// Of these: held for lost.
    pub lost: u32,
    /// Of these: sent again.
    pub retransmitted: u32,
}

impl Records {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    #[cfg(test)]
    pub fn footprint(&self) -> usize {
        self.list.capacity() * size_of::<Record>()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, index: usize) -> Option<&Record> {
        self.list.get(index)
    }

    pub fn last(&self) -> Option<&Record> {
        self.list.back()
    }

    /// Segments that are on their way, as far as is known: the pipe of RFC 6675.
    pub const fn in_flight(&self) -> u32 {
        (self.sent + self.retransmitted).saturating_sub(self.sacked + self.lost)
    }

    /// Notes what is sent for the first time, behind all that was.
    #[inline]
    pub fn push(&mut self, record: Record) {
        self.sent += u32::from(record.segments);
        self.list.push_back(record);
    }

    /// Takes a record's segments out of the sums, or puts them in.
    fn count(&mut self, record: &Record, add: bool) {
        let count = u32::from(record.segments);
        let change = |sum: &mut u32| *sum = if add { *sum + count } else { sum.saturating_sub(count) };
        change(&mut self.sent);
        if record.has(Fate::SACKED) {
            change(&mut self.sacked);
        }
        if record.has(Fate::LOST) {
            change(&mut self.lost);
        }
        if record.has(Fate::RETRANSMITTED) {
            change(&mut self.retransmitted);
        }
    }

    /// Changes a record, and the sums with it.
    pub fn change(&mut self, index: usize, change: impl FnOnce(&mut Record)) {
        let Some(mut record) = self.list.get(index).copied() else { return };
        self.count(&record, false);
        change(&mut record);
        self.count(&record, true);
        self.list[index] = record;
    }

    /// Forgets all, which were sent once and of which nothing else is known.
    pub fn forget_all(&mut self) {
        self.list.clear();
        self.sent = 0;
    }

    /// Forgets what is before `to`, and tells of each record that goes, or of the part of one.
    pub fn acknowledge(&mut self, to: SequenceNumber, mut gone: impl FnMut(&Record)) {
        while let Some(&first) = self.list.front() {
            if first.start.is_behind(to) || first.start == to {
                break;
            }
            self.count(&first, false);
            if first.end.is_at_most(to) {
                self.list.pop_front();
                gone(&first);
                continue;
            }
            let (mut part, mut rest) = (first, first);
            (part.end, rest.start) = (to, to);
            rest.recount();
            // A byte of a segment is no segment: those that are whole count.
            part.segments = first.segments.saturating_sub(rest.segments);
            self.count(&rest, true);
            self.list[0] = rest;
            gone(&part);
            break;
        }
    }

    /// The record that a number is in, or the first behind it.
    pub fn find(&self, at: SequenceNumber) -> usize {
        self.list.partition_point(|record| record.end.is_at_most(at))
    }

    /// Cuts a record at `at`, if that is between segments of it. Says whether a record begins there now.
    pub fn split(&mut self, index: usize, at: SequenceNumber) -> bool {
        let Some(&whole) = self.list.get(index) else { return false };
        if at.is_at_most(whole.start) || whole.end.is_at_most(at) {
            return at == whole.start;
        }
        if !(at - whole.start).is_multiple_of(u32::from(whole.size).max(1)) {
            return false;
        }
        let (mut first, mut second) = (whole, whole);
        (first.end, second.start) = (at, at);
        first.fate.remove(Fate::PUSHED);
        first.recount();
        second.recount();
        self.count(&whole, false);
        self.count(&first, true);
        self.count(&second, true);
        self.list[index] = first;
        self.list.insert(index + 1, second);
        true
    }

    /// Cuts a record so that its first `segments` stand alone.
    pub fn split_after(&mut self, index: usize, segments: u32) {
        if let Some(record) = self.list.get(index) {
            let at = record.start + segments.saturating_mul(record.size.into());
            self.split(index, at);
        }
    }

    /// Marks what SACK tells in `[from, to)`, and tells of each record that is new: only whole segments count.
    pub fn sack(&mut self, from: SequenceNumber, to: SequenceNumber, mut told: impl FnMut(&Record)) {
        let mut index = self.find(from);
        while let Some(&record) = self.list.get(index).filter(|record| record.start.is_before(to)) {
            if record.has(Fate::SACKED) {
                index += 1;
                continue;
            }
            let size = u32::from(record.size).max(1);
            if record.start.is_before(from) {
                // Up to the next border of a segment.
                let border = record.start + (from - record.start).next_multiple_of(size);
                if !record.end.is_behind(border) || !self.split(index, border) {
                    index += 1;
                    continue;
                }
                index += 1;
                continue;
            }
            if record.end.is_behind(to) {
                let border = record.start + (to - record.start) / size * size;
                if border == record.start || !self.split(index, border) {
                    break;
                }
            }
            if let Some(record) = self.list.get(index) {
                told(record);
            }
            self.change(index, |record| {
                record.fate.remove(Fate::LOST | Fate::RETRANSMITTED);
                record.fate.insert(Fate::SACKED);
            });
            index = self.merge(index) + 1;
        }
    }

    /// Makes one of a record and those beside it that SACK has told, and says where it is.
    fn merge(&mut self, mut index: usize) -> usize {
        for left in [index.checked_sub(1), Some(index)].into_iter().flatten() {
            let at = if left < index { left } else { index };
            let (Some(&first), Some(&second)) = (self.list.get(at), self.list.get(at + 1)) else { continue };
            let segments = first.segments.checked_add(second.segments);
            let (true, true, Some(segments)) = (first.has(Fate::SACKED), second.has(Fate::SACKED), segments) else {
                continue;
            };
            let fate = first.fate | second.fate;
            let whole = Record { end: second.end, sent: first.sent.max(second.sent), segments, fate, ..first };
            self.list[at] = whole;
            self.list.remove(at + 1);
            index = at;
        }
        index
    }

    /// Forgets what SACK told: the other side has thrown it away (RFC 2018, 8).
    pub fn forget_sacks(&mut self) {
        for record in &mut self.list {
            record.fate.remove(Fate::SACKED);
        }
        self.sacked = 0;
    }

    /// Forgets that anything was lost.
    pub fn forget_losses(&mut self) {
        for record in &mut self.list {
            record.fate.remove(Fate::LOST | Fate::RETRANSMITTED);
        }
        (self.lost, self.retransmitted) = (0, 0);
    }

    /// Cuts all records anew, for segments of another size: the path's MTU has shrunk.
    pub fn resize(&mut self, size: u16) {
        for index in 0..self.list.len() {
            self.change(index, |record| {
                record.size = record.size.min(size);
                record.recount();
            });
        }
    }

    /// Gives memory back if there are none.
    pub fn release(&mut self) {
        if self.list.is_empty() {
            self.list = VecDeque::new();
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
