//! Bytes that came before others that are still missing: RFC 9293, 3.10.7.4; what SACK tells of them: RFC 2018, 2883.

use alloc::vec::Vec;

use bytes::Bytes;
use packets::{
    Parts,
    tcp::{SackBlocks, SequenceNumber},
};

use super::queue::Queue;

/// The most stretches that are held: with more, each segment of a hostile sender would cost a longer search, and the
/// other side learns of few at a time anyway.
pub const MOST_RANGES: usize = 64;

/// Stretches that came early, in order, with gaps between.
#[derive(Debug, Default)]
pub struct Reassembly {
    ranges: Vec<Range>,
    /// The starts of those that changed last, the last one first: RFC 2018, 4.
    recent: [Option<SequenceNumber>; SackBlocks::MOST],
    held: usize,
}

#[derive(Debug)]
struct Range {
    start: SequenceNumber,
    end: SequenceNumber,
    bytes: Queue,
}

impl Reassembly {
    /// Bytes held.
    pub const fn held(&self) -> usize {
        self.held
    }

    pub const fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Takes the bytes of a segment that begins at `start`. Gives the stretch that was there already, if any of it was,
    /// for a duplicate's SACK (RFC 2883); the first such one.
    pub fn insert(&mut self, mut start: SequenceNumber, mut parts: Parts) -> Option<(SequenceNumber, SequenceNumber)> {
        let mut end = start + parts.iter().map(|part| part.len() as u32).sum();
        let mut duplicate = None;
        while start.is_before(end) {
            let index = self.ranges.partition_point(|range| range.end.is_before(start));
            let next = self.ranges.get(index).map(|range| (range.start, range.end));
            match next {
                // What there is already.
                Some((first, last)) if first.is_at_most(start) && start.is_before(last) => {
                    let stop = last.earlier(end);
                    duplicate = duplicate.or(Some((start, stop)));
                    cut(&mut parts, (stop - start) as usize);
                    start = stop;
                    self.touch(index);
                }
                // Behind a stretch, or in a gap: up to the next one.
                _ => {
                    let behind = next.is_some_and(|(_, last)| last == start);
                    let border = if behind { index + 1 } else { index };
                    let stop = self.ranges.get(border).map_or(end, |range| range.start.earlier(end));
                    let new = cut(&mut parts, (stop - start) as usize);
                    if !self.add(index, behind, start, stop, new) {
                        end = start;
                    }
                    start = stop;
                }
            }
        }
        duplicate
    }

    /// Adds a stretch that touches none but perhaps the one before and the one behind it.
    fn add(&mut self, index: usize, behind: bool, start: SequenceNumber, end: SequenceNumber, parts: Parts) -> bool {
        if !behind {
            if self.ranges.len() >= MOST_RANGES {
                return false;
            }
            self.ranges.insert(index, Range { start, end: start, bytes: Queue::default() });
        }
        self.held += (end - start) as usize;
        let range = &mut self.ranges[index];
        parts.into_iter().for_each(|part| range.bytes.push(part));
        range.end = end;
        if self.ranges.get(index + 1).is_some_and(|next| next.start == end) {
            let next = self.ranges.remove(index + 1);
            self.forget(next.start);
            self.ranges[index].bytes.append(next.bytes);
            self.ranges[index].end = next.end;
        }
        self.touch(index);
        true
    }

    /// A stretch has changed: it is told first.
    fn touch(&mut self, index: usize) {
        let start = self.ranges[index].start;
        self.forget(start);
        self.recent.rotate_right(1);
        self.recent[0] = Some(start);
    }

    fn forget(&mut self, start: SequenceNumber) {
        let mut kept = [None; SackBlocks::MOST];
        let others = self.recent.iter().flatten().filter(|recent| **recent != start);
        kept.iter_mut().zip(others).for_each(|(place, recent)| *place = Some(*recent));
        self.recent = kept;
    }

    /// Gives the bytes that follow `next` now, and forgets what is before them.
    pub fn take(&mut self, next: SequenceNumber) -> Option<(SequenceNumber, Queue)> {
        let first = self.ranges.first()?;
        if next.is_before(first.start) {
            return None;
        }
        let mut range = self.ranges.remove(0);
        self.forget(range.start);
        self.held -= (range.end - range.start) as usize;
        let known = (next - range.start).min(range.end - range.start);
        range.bytes.skip(known as usize);
        Some((range.end.later(next), range.bytes))
    }

    /// Throws all away: RFC 2018, 8 allows it, and memory may want it.
    pub fn clear(&mut self) -> usize {
        core::mem::take(self).held
    }

    /// The blocks to tell, those that changed last first.
    pub fn blocks(&self, to: &mut SackBlocks) {
        for start in self.recent.iter().flatten() {
            let index = self.ranges.partition_point(|range| range.start.is_before(*start));
            if let Some(range) = self.ranges.get(index).filter(|range| range.start == *start) {
                to.push(range.start, range.end);
            }
        }
    }
}

/// Takes the first `count` bytes of parts off, and gives them.
pub fn cut(parts: &mut Parts, mut count: usize) -> Parts {
    let mut taken = Parts::new();
    while count > 0 && !parts.is_empty() {
        if parts[0].len() > count {
            let first: Bytes = parts[0].split_to(count);
            taken.push(first);
            break;
        }
        count -= parts[0].len();
        taken.push(parts.remove(0));
    }
    taken
}
