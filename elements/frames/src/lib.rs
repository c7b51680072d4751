//! Page frame allocators: the trait [`Frames`] and its implementations.
//!
//! A frame is named by its number (physical address / page size); this element neither maps nor touches it.
//! An allocator is a list of *zones*, stretches of memory under one policy each: [`Bitmap`] has a bit a frame,
//! [`Buddy`] free lists of blocks of powers of two.
#![no_std]
#![forbid(unsafe_code)]

pub mod bitmap;
mod bits;
pub mod buddy;
#[cfg(test)]
mod tests;
mod zones;

use core::{fmt, ops::Range};

pub use zones::Zones;

/// A bit for each frame. What it gives next lies next to what was freed last.
pub type Bitmap = Zones<bitmap::Zone<'static>>;

/// The buddy system (Knuth, The Art of Computer Programming, volume 1, 2.5): blocks of powers of two frames, split when
/// a smaller one is wanted and joined when both halves are free.
pub type Buddy = Zones<buddy::Zone<'static>>;

declaration::contract! {
    frames = "the machine's page frames: which are free";

    /// Gives page frames out and takes them back. Processors may call it at the same time.
    pub trait Frames: Sync {
        /// Words of bookkeeping that a zone over `frames` needs.
        fn book_words(&self, frames: core::ops::Range<usize>) -> usize;

        /// Adds a zone, none of it in use. `book` has at least [`Frames::book_words`] words, with any contents; it is
        /// not touched before the zone's first allocation. `false` if there is no room for another zone.
        fn add(&self, frames: core::ops::Range<usize>, book: &'static mut [u64]) -> bool;

        /// One frame, contents unspecified; `None` when all are in use.
        fn allocate(&self) -> Option<usize>;

        /// `count` frames in a row, the first one's number a multiple of `alignment` (a power of two). `None` if there
        /// is no such run.
        fn allocate_run(&self, count: usize, alignment: usize) -> Option<usize>;

        /// Takes frames back: any that were given out, whether by one call or by several. On an error nothing is done.
        fn free_run(&self, first: usize, count: usize) -> Result<(), FreeError>;

        /// How many frames there are and how many of them are unused.
        fn statistics(&self) -> Statistics;
    }
}

/// One stretch of memory under an allocator's policy.
pub trait Zone<'a>: Send + Sized {
    /// See [`Frames::book_words`].
    fn book_words(frames: &Range<usize>) -> usize;

    /// A zone over `frames`, none in use. See [`Frames::add`] for `book`.
    fn new(frames: Range<usize>, book: &'a mut [u64]) -> Self;

    /// Its frames.
    fn frames(&self) -> Range<usize>;

    /// See [`Frames::allocate`].
    fn allocate(&mut self) -> Option<usize>;

    /// See [`Frames::allocate_run`].
    fn allocate_run(&mut self, count: usize, alignment: usize) -> Option<usize>;

    /// See [`Frames::free_run`].
    fn free_run(&mut self, first: usize, count: usize) -> Result<(), FreeError>;

    /// See [`Frames::statistics`].
    fn statistics(&self) -> Statistics;
}

/// Frames of an allocator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// All of them.
    pub total: usize,
    /// Unused ones.
    pub free: usize,
}

/// Why a frame cannot be taken back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FreeError {
    /// It belongs to none of the allocator's zones.
    Foreign(usize),
    /// It is not in use: freed twice, or never given out.
    NotInUse(usize),
}

// By hand: what the language derives can lay itself out over lines, which is a kilobyte that no panic needs.
impl fmt::Debug for FreeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, frame) = match self {
            Self::Foreign(frame) => ("Foreign", frame),
            Self::NotInUse(frame) => ("NotInUse", frame),
        };
        write!(formatter, "{name}({frame})")
    }
}
