//! What was typed and is not read yet: bytes, and where lines end.

use alloc::collections::{TryReserveError, VecDeque, vec_deque::Iter};
use core::iter::Copied;

use crate::termios::DISABLED;

/// Bytes that may wait for the reader. The last one is kept for the end of a line.
pub const INPUT: usize = 4096;

/// Bytes in the order in which they were typed. Positions count from when the queue was empty at the last flush.
#[derive(Default)]
pub(crate) struct Input {
    bytes: VecDeque<u8>,
    /// The position of the first byte.
    first: usize,
    /// Up to where lines are complete. In raw mode it may be behind the first byte, and means nothing.
    complete_to: usize,
    /// A bit for each position, modulo the size: the byte ends a line.
    ends: Ends,
}

/// A bit for each place in the queue.
struct Ends([u64; INPUT / 64]);

impl Default for Ends {
    fn default() -> Self {
        Self([0; INPUT / 64])
    }
}

impl Ends {
    fn contains(&self, position: usize) -> bool {
        self.0[position % INPUT / 64] >> (position % 64) & 1 != 0
    }

    fn set(&mut self, position: usize, ends: bool) {
        let word = &mut self.0[position % INPUT / 64];
        *word = *word & !(1 << (position % 64)) | u64::from(ends) << (position % 64);
    }
}

impl Input {
    /// Memory for all that may ever wait.
    pub(crate) fn reserve(&mut self) -> Result<(), TryReserveError> {
        self.bytes.try_reserve_exact(INPUT - self.bytes.len())
    }

    /// Bytes that wait.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    fn end(&self) -> usize {
        self.first + self.bytes.len()
    }

    /// Bytes of complete lines, in canonical mode.
    pub(crate) fn complete(&self) -> usize {
        self.complete_to.saturating_sub(self.first)
    }

    /// Whether no line is complete. Of lines that were edited outside only those are meant that wait since then.
    pub(crate) fn has_no_line(&self) -> bool {
        self.complete_to == self.first
    }

    /// Whether the next byte is the first of a line, in canonical mode.
    pub(crate) fn is_at_start(&self) -> bool {
        self.complete_to == self.end()
    }

    /// Bytes of the line that is not complete, in canonical mode.
    pub(crate) fn open(&self) -> Copied<Iter<'_, u8>> {
        self.bytes.range(self.complete()..).copied()
    }

    /// The byte of that line that has `back` bytes behind it.
    pub(crate) fn open_from_end(&self, back: usize) -> Option<u8> {
        self.open().nth_back(back)
    }

    /// Adds bytes. The caller left room for them; what has none after all is dropped.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        let room = INPUT - self.bytes.len();
        self.bytes.extend(&bytes[..bytes.len().min(room)]);
    }

    /// Adds the byte that ends a line: [`DISABLED`] is not delivered.
    pub(crate) fn end_line(&mut self, byte: u8) {
        self.extend(&[byte]);
        self.mark_last();
    }

    fn mark_last(&mut self) {
        self.complete_to = self.end();
        self.ends.set(self.complete_to.wrapping_sub(1), true);
    }

    /// Drops the last bytes of the open line.
    pub(crate) fn drop_last(&mut self, count: usize) {
        self.bytes.truncate(self.bytes.len().saturating_sub(count));
    }

    /// Drops the open line.
    pub(crate) fn drop_open(&mut self) {
        self.bytes.truncate(self.complete());
    }

    /// Drops all.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        (self.first, self.complete_to, self.ends) = (0, 0, Ends::default());
    }

    /// Forgets where lines end. In canonical mode, all that waits becomes one line.
    pub(crate) fn forget_lines(&mut self, canonical: bool) {
        self.ends = Ends::default();
        self.complete_to = self.first;
        if canonical && !self.bytes.is_empty() {
            self.mark_last();
        }
    }

    /// Bytes of complete lines that a reader will get.
    pub(crate) fn deliverable(&self) -> usize {
        let complete = self.complete();
        if complete == INPUT {
            // Linux takes a full queue for one without ends.
            return complete;
        }
        let silent = (0..complete).filter(|&at| self.is_silent_end(at)).count();
        complete - silent
    }

    /// Whether the byte at this index ends a line and is not delivered.
    fn is_silent_end(&self, index: usize) -> bool {
        self.ends.contains(self.first + index) && self.bytes.get(index) == Some(&DISABLED)
    }

    /// How long the first line is with its end, if it ends within the first `most` bytes of complete lines.
    fn first_line(&self, most: usize) -> Option<usize> {
        (0..self.complete().min(most)).find(|&at| self.ends.contains(self.first + at)).map(|at| at + 1)
    }

    /// Takes from the first line at most `most` bytes; answers how many were taken, and whether the line is over.
    pub(crate) fn take_line(&mut self, most: usize, sink: &mut dyn FnMut(&[u8]) -> usize) -> (usize, bool) {
        let Some(length) = self.first_line(most) else {
            let offered = self.complete().min(most);
            return (self.take(offered, sink), false);
        };
        let silent = usize::from(self.is_silent_end(length - 1));
        let taken = self.take(length - silent, sink);
        if taken < length - silent {
            return (taken, false);
        }
        self.ends.set((self.first + silent).wrapping_sub(1), false);
        self.skip(silent);
        (taken, true)
    }

    /// Skips the end of a line that is not delivered, where one is first.
    pub(crate) fn skip_silent_end(&mut self) {
        if self.complete() > 0 && self.is_silent_end(0) {
            self.ends.set(self.first, false);
            self.skip(1);
        }
    }

    /// Takes the first `count` bytes, or as many as `sink` wants.
    pub(crate) fn take(&mut self, count: usize, sink: &mut dyn FnMut(&[u8]) -> usize) -> usize {
        let taken = offer(&self.bytes, count, sink);
        self.skip(taken);
        taken
    }

    fn skip(&mut self, count: usize) {
        self.bytes.drain(..count);
        self.first += count;
    }

    /// The last byte.
    pub(crate) fn last(&self) -> Option<u8> {
        self.bytes.back().copied()
    }
}

/// Offers the first `count` bytes of a queue to `sink`; answers how many it took.
pub(crate) fn offer(queue: &VecDeque<u8>, count: usize, sink: &mut dyn FnMut(&[u8]) -> usize) -> usize {
    let mut taken = 0;
    let (front, back) = queue.as_slices();
    let in_front = count.min(front.len());
    for part in [&front[..in_front], &back[..(count - in_front).min(back.len())]] {
        if part.is_empty() {
            continue;
        }
        let now = sink(part).min(part.len());
        taken += now;
        if now < part.len() {
            break;
        }
    }
    taken
}
