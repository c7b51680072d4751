//! Page frame allocators: the trait [`Frames`] and its implementations.
//!
//! A frame is named by its number (physical address / page size); this element neither maps nor touches it.
//! [`Zone`] is a bitmap over one stretch of memory, [`Zones`] joins several.
#![no_std]
#![forbid(unsafe_code)]

mod zone;
mod zones;

use core::{fmt, ops::Range};

pub use zone::Zone;
pub use zones::Zones;

/// Gives page frames out and takes them back.
pub trait Frames {
    /// One frame, contents unspecified; `None` when all are in use.
    fn allocate(&mut self) -> Option<usize>;

    /// `count` frames in a row; the first one's number. `None` if there is no such run.
    fn allocate_run(&mut self, count: usize) -> Option<usize>;

    /// Takes a frame back.
    fn free(&mut self, frame: usize) -> Result<(), FreeError>;

    /// Takes a run back.
    fn free_run(&mut self, first: usize, count: usize) -> Result<(), FreeError> {
        (first..first.saturating_add(count)).try_for_each(|frame| self.free(frame))
    }

    /// How many frames there are and how many of them are unused.
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

/// Words of bitmap that a zone over `frames` needs.
#[must_use]
pub const fn bitmap_words(frames: &Range<usize>) -> usize {
    (frames.end - frames.start).div_ceil(u64::BITS as usize)
}
