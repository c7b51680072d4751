//! Moving bytes between files and the application's memory without a buffer between.

use linux_abi::{Errno, UserInput, UserOutput};
use machine::Fault;
use unfilled::Unfilled;
use vfs::{Sink, Source};

use crate::objects::ability;

/// Application memory, piece by piece: what a read fills and a write takes from.
#[derive(Debug)]
struct Place {
    address: usize,
    length: usize,
    failed: bool,
    /// See [`Sink::is_quiet`].
    quiet: bool,
}

impl Place {
    const fn rest(&self) -> usize {
        if self.failed { 0 } else { self.length }
    }

    /// Moves on by the `count` bytes of a copy, or as far as it came; the bytes moved.
    fn advance(&mut self, count: usize, copied: Result<(), Fault>) -> usize {
        let count = match copied {
            Ok(()) => count,
            Err(fault) => {
                self.failed = true;
                fault.address.saturating_sub(self.address).min(count)
            }
        };
        self.address += count;
        self.length -= count;
        count
    }

    /// The address, unless it is not the program's.
    fn place(&self) -> Option<usize> {
        let user = contracts::translations::user_range();
        let end = self.address.checked_add(self.length)?;
        (user.start <= self.address && end <= user.end && !self.failed).then_some(self.address)
    }

    /// A transfer of `count` bytes: EFAULT if none came because the address does not work.
    const fn answer(&self, count: usize) -> crate::Result {
        if self.failed && count == 0 { Err(Errno::EFAULT) } else { Ok(count) }
    }
}

/// Application memory that a read fills.
#[derive(Debug)]
pub struct UserSink(Place);

impl UserSink {
    /// `length` bytes at `buffer`.
    #[must_use]
    pub const fn new(buffer: UserOutput, length: usize) -> Self {
        Self(Place { address: buffer.0, length, failed: false, quiet: false })
    }

    /// Whether the read leaves no trace (O_NOATIME).
    pub const fn set_quiet(&mut self, quiet: bool) {
        self.0.quiet = quiet;
    }

    /// What a system call answers that moved `count` bytes here.
    pub const fn answer(&self, count: usize) -> crate::Result {
        self.0.answer(count)
    }
}

impl Sink for UserSink {
    fn is_quiet(&self) -> bool {
        self.0.quiet
    }

    fn room(&self) -> usize {
        self.0.rest()
    }

    fn put(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.room());
        let copied = contracts::user_memory::copy_out(self.0.address, &bytes[..count]);
        self.0.advance(count, copied)
    }

    fn put_word(&mut self, word: u64) -> usize {
        const BYTES: usize = size_of::<u64>();
        if self.room() < BYTES || contracts::user_memory::write_word(self.0.address, word).is_err() {
            return self.put(&word.to_ne_bytes());
        }
        self.0.advance(BYTES, Ok(()))
    }

    fn put_zeros(&mut self, count: usize) -> usize {
        let count = count.min(self.room());
        let copied = contracts::user_memory::zero(self.0.address, count);
        self.0.advance(count, copied)
    }

    fn place(&self) -> Option<usize> {
        self.0.place()
    }

    fn pass(&mut self, count: usize) {
        self.0.advance(count, Ok(()));
    }

    fn lend(&mut self, count: usize, fill: &mut dyn FnMut(&mut [&mut [u8]]) -> usize) {
        if !ability::files() {
            return;
        }
        let count = count.min(self.room());
        let mut filled = 0;
        crate::space().lend(self.0.address, count, &mut |places| filled = fill(places));
        self.0.advance(filled, Ok(()));
    }
}

/// Application memory that a write takes from.
#[derive(Debug)]
pub struct UserSource(Place);

impl UserSource {
    /// `length` bytes at `buffer`.
    #[must_use]
    pub const fn new(buffer: UserInput, length: usize) -> Self {
        Self(Place { address: buffer.0, length, failed: false, quiet: false })
    }

    /// What a system call answers that moved `count` bytes from here.
    pub const fn answer(&self, count: usize) -> crate::Result {
        self.0.answer(count)
    }
}

impl Source for UserSource {
    fn left(&self) -> usize {
        self.0.rest()
    }

    fn fill(&mut self, to: &mut Unfilled<'_>, most: usize) {
        let count = most.min(self.left()).min(to.room());
        let copied = contracts::user_memory::fill(to, count, self.0.address);
        self.0.advance(count, copied);
    }

    fn take_word(&mut self) -> Option<u64> {
        match contracts::user_memory::read_word(self.0.address) {
            Ok(word) if self.left() >= size_of::<u64>() => {
                self.0.advance(size_of::<u64>(), Ok(()));
                Some(word)
            }
            _ => {
                // Whoever gave it hears what is wrong.
                self.0.failed = true;
                None
            }
        }
    }

    fn give_back(&mut self, count: usize) {
        self.0.address -= count;
        self.0.length += count;
    }

    fn place(&self) -> Option<usize> {
        self.0.place()
    }

    fn pass(&mut self, count: usize) {
        self.0.advance(count, Ok(()));
    }

    fn skip(&mut self) -> usize {
        let left = self.left();
        self.0.advance(left, Ok(()))
    }
}
