//! Where bytes go to and come from. An element never sees an application's memory; it gives bytes to a [`Sink`] and
//! takes them from a [`Source`].
//!
//! Neither has errors: a transfer that stops early (room used up, an address that does not work) moves fewer bytes,
//! and whoever made the sink or source knows why.

use alloc::vec::Vec;
use core::num::NonZeroUsize;

use unfilled::Unfilled;

/// How many bytes a short way has moved; `None` if it has done nothing. In one register, as 0 would be nothing.
pub type Moved = Option<NonZeroUsize>;

/// Where the bytes of a short read go ([`crate::Node::read_short`]): in two words, as there is nothing to ask it.
#[derive(Clone, Copy, Debug)]
pub struct ShortSink {
    /// What `copy` knows the place by.
    pub place: usize,
    /// Takes all of the bytes, and says how many; or answers that it could not.
    pub copy: fn(usize, &[u8]) -> Moved,
}

impl ShortSink {
    /// Has it take all of `bytes`, at least one; `None` if it could not.
    #[inline(always)]
    pub fn put(self, bytes: &[u8]) -> Moved {
        (self.copy)(self.place, bytes)
    }
}

/// Where the bytes of a short write come from ([`crate::Node::write_short`]).
#[derive(Clone, Copy, Debug)]
pub struct ShortSource {
    /// What `copy` knows the place by.
    pub place: usize,
    /// Fills all of the bytes, and says how many; or answers that it could not: then it may have filled any of them.
    pub copy: fn(&mut [u8], usize) -> Moved,
}

impl ShortSource {
    /// Has it fill all of `bytes`, at least one; `None` if it could not.
    #[inline(always)]
    pub fn fill(self, bytes: &mut [u8]) -> Moved {
        (self.copy)(bytes, self.place)
    }
}

/// Takes the bytes of a read.
pub trait Sink {
    /// Bytes it still takes; 0 once a transfer has failed.
    fn room(&self) -> usize;

    /// Takes the first bytes of `bytes`, as many as there is room for, and says how many. Fewer than that only when
    /// the transfer failed.
    fn put(&mut self, bytes: &[u8]) -> usize;

    /// Takes a number as it is in memory, like [`Sink::put`].
    fn put_word(&mut self, word: u64) -> usize {
        self.put(&word.to_ne_bytes())
    }

    /// Takes that many zeros, like [`Sink::put`].
    fn put_zeros(&mut self, count: usize) -> usize;

    /// Whether the read leaves the time of the last one alone (O_NOATIME).
    fn is_quiet(&self) -> bool {
        false
    }

    /// The program's address where the next byte goes, for a kernel underneath that can put bytes there by itself.
    fn place(&self) -> Option<usize> {
        None
    }

    /// So many bytes have been put at [`Sink::place`].
    fn pass(&mut self, _count: usize) {}

    /// Has `fill` write the next bytes where they belong, `count` of them at most, in places one behind the other; it
    /// says how many first ones it wrote, and these count as put. Where that cannot be, `fill` is not called. It may
    /// ask for no memory of the program's.
    fn lend(&mut self, _count: usize, _fill: &mut dyn FnMut(&mut [&mut [u8]]) -> usize) {}
}

/// Gives the bytes of a write.
pub trait Source {
    /// Bytes it still gives; 0 once a transfer has failed.
    fn left(&self) -> usize;

    /// Fills `to` with the next bytes: at most `most`, and as many as are left and there is room for. Fewer than that
    /// only when the transfer failed.
    fn fill(&mut self, to: &mut Unfilled<'_>, most: usize);

    /// Fills `buffer` from its start, as [`Source::fill`], and says how many bytes came.
    fn take(&mut self, buffer: &mut [u8]) -> usize {
        let mut to = Unfilled::over(buffer);
        self.fill(&mut to, usize::MAX);
        to.filled()
    }

    /// The next number as it is in memory, for which enough is left; `None` if the transfer failed.
    fn take_word(&mut self) -> Option<u64> {
        let mut bytes = [0; size_of::<u64>()];
        (self.take(&mut bytes) == bytes.len()).then(|| u64::from_ne_bytes(bytes))
    }

    /// Puts the next bytes behind those of `bytes`, at most `most`, as [`Source::fill`], and says how many came.
    fn append(&mut self, bytes: &mut Vec<u8>, most: usize) -> usize {
        let most = most.min(self.left());
        unfilled::append(bytes, most, |to| self.fill(to, most))
    }

    /// Takes the last `count` bytes of the last [`Source::take`] or [`Source::append`] back: whoever took them had no
    /// place for them.
    fn give_back(&mut self, count: usize);

    /// The program's address of the next byte, for a kernel underneath that can take bytes from there by itself.
    fn place(&self) -> Option<usize> {
        None
    }

    /// So many bytes have been taken from [`Source::place`].
    fn pass(&mut self, _count: usize) {}

    /// Passes over all that is left, without looking at it; says how much that was.
    fn skip(&mut self) -> usize;
}

/// A sink into memory of ours.
#[derive(Debug)]
pub struct SliceSink<'a> {
    rest: &'a mut [u8],
}

impl<'a> SliceSink<'a> {
    /// Fills `bytes` from its start.
    pub const fn new(bytes: &'a mut [u8]) -> Self {
        Self { rest: bytes }
    }

    fn advance(&mut self, count: usize) -> &'a mut [u8] {
        let count = count.min(self.rest.len());
        let (first, rest) = core::mem::take(&mut self.rest).split_at_mut(count);
        self.rest = rest;
        first
    }
}

impl Sink for SliceSink<'_> {
    fn room(&self) -> usize {
        self.rest.len()
    }

    fn put(&mut self, bytes: &[u8]) -> usize {
        let place = self.advance(bytes.len());
        place.copy_from_slice(&bytes[..place.len()]);
        place.len()
    }

    fn put_zeros(&mut self, count: usize) -> usize {
        let place = self.advance(count);
        place.fill(0);
        place.len()
    }

    fn lend(&mut self, count: usize, fill: &mut dyn FnMut(&mut [&mut [u8]]) -> usize) {
        let count = count.min(self.rest.len());
        let filled = fill(&mut [&mut self.rest[..count]]);
        self.advance(filled);
    }
}

/// A sink into memory that is filled from its front.
#[derive(Debug)]
pub struct UnfilledSink<'a, 'b> {
    to: &'a mut Unfilled<'b>,
    room: usize,
}

impl<'a, 'b> UnfilledSink<'a, 'b> {
    /// Fills at most so many bytes of `to`.
    pub fn new(to: &'a mut Unfilled<'b>, most: usize) -> Self {
        Self { room: most.min(to.room()), to }
    }
}

impl Sink for UnfilledSink<'_, '_> {
    fn room(&self) -> usize {
        self.room
    }

    fn put(&mut self, bytes: &[u8]) -> usize {
        let count = self.to.put(&bytes[..bytes.len().min(self.room)]);
        self.room -= count;
        count
    }

    fn put_zeros(&mut self, count: usize) -> usize {
        const ZEROS: [u8; 64] = [0; 64];
        let mut left = count.min(self.room);
        let all = left;
        while left > 0 {
            left -= self.put(&ZEROS[..left.min(ZEROS.len())]);
        }
        all
    }
}

/// A sink that collects at most a given number of bytes.
#[derive(Debug, Default)]
pub struct VecSink {
    /// What came.
    pub bytes: Vec<u8>,
    limit: usize,
}

impl VecSink {
    /// Takes up to `limit` bytes.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit }
    }

    /// Puts up to `limit` bytes behind those of `bytes`.
    #[must_use]
    pub const fn behind(bytes: Vec<u8>, limit: usize) -> Self {
        let limit = bytes.len().saturating_add(limit);
        Self { bytes, limit }
    }
}

impl Sink for VecSink {
    fn room(&self) -> usize {
        self.limit.saturating_sub(self.bytes.len())
    }

    fn put(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.room());
        self.bytes.extend_from_slice(&bytes[..count]);
        count
    }

    fn put_zeros(&mut self, count: usize) -> usize {
        let count = count.min(self.room());
        self.bytes.resize(self.bytes.len() + count, 0);
        count
    }
}

/// A source out of memory of ours.
#[derive(Clone, Debug)]
pub struct SliceSource<'a> {
    bytes: &'a [u8],
    taken: usize,
}

impl<'a> SliceSource<'a> {
    /// Gives `bytes` from its start.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, taken: 0 }
    }
}

impl Source for SliceSource<'_> {
    fn left(&self) -> usize {
        self.bytes.len() - self.taken
    }

    fn fill(&mut self, to: &mut Unfilled<'_>, most: usize) {
        let count = most.min(self.left());
        self.taken += to.put(&self.bytes[self.taken..self.taken + count]);
    }

    fn give_back(&mut self, count: usize) {
        self.taken = self.taken.saturating_sub(count);
    }

    fn skip(&mut self) -> usize {
        let left = self.left();
        self.taken = self.bytes.len();
        left
    }
}
