//! Memory that is filled from its front, and need not be zeroed for that.
//!
//! A buffer that a copy fills at once would be written twice if it had to hold bytes before. As the standard library's
//! `BorrowedBuf` (which is not stable yet), this keeps count of the bytes that were written, and shows no others.
#![no_std]
// It is known here, and nowhere else, how much of the memory has been written.
#![allow(unsafe_code)]

extern crate alloc;

use alloc::vec::Vec;
use core::{mem::MaybeUninit, slice};

use zerocopy::FromBytes;

#[cfg(test)]
mod tests;

/// Memory whose first bytes have been written, and whose others may hold nothing.
#[derive(Debug)]
pub struct Unfilled<'a> {
    place: &'a mut [MaybeUninit<u8>],
    filled: usize,
}

impl<'a> Unfilled<'a> {
    /// Of which nothing is filled.
    #[must_use]
    #[inline]
    pub const fn new(place: &'a mut [MaybeUninit<u8>]) -> Self {
        Self { place, filled: 0 }
    }

    /// Fills bytes from their start anew.
    #[must_use]
    #[inline]
    pub const fn over(bytes: &'a mut [u8]) -> Self {
        let (start, length) = (bytes.as_mut_ptr().cast(), bytes.len());
        // SAFETY: the bytes are borrowed for as long, and nothing here writes to them what is no byte.
        Self::new(unsafe { slice::from_raw_parts_mut(start, length) })
    }

    /// Bytes that are filled.
    #[must_use]
    #[inline]
    pub const fn filled(&self) -> usize {
        self.filled
    }

    /// Bytes that are not.
    #[must_use]
    #[inline]
    pub const fn room(&self) -> usize {
        self.place.len() - self.filled
    }

    /// Fills the next with the first of `bytes`, as many as there is room for, and says how many.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.room());
        self.place[self.filled..self.filled + count].write_copy_of_slice(&bytes[..count]);
        self.filled += count;
        count
    }

    /// Where the next byte goes.
    #[inline]
    pub const fn next(&mut self) -> *mut u8 {
        // SAFETY: not more is filled than there is.
        unsafe { self.place.as_mut_ptr().add(self.filled).cast() }
    }

    /// The next `count` bytes are filled.
    ///
    /// # Safety
    /// They have been written at [`Unfilled::next`], and there is room for them.
    #[inline]
    pub unsafe fn advance(&mut self, count: usize) {
        debug_assert!(count <= self.room());
        self.filled += count;
    }

    /// What is filled.
    #[must_use]
    #[inline]
    pub const fn into_filled(self) -> &'a mut [u8] {
        // SAFETY: so many bytes have been written, of memory that is borrowed for as long.
        unsafe { slice::from_raw_parts_mut(self.place.as_mut_ptr().cast(), self.filled) }
    }
}

/// A value of bytes that `fill` brings; `None` if it has not brought all.
#[inline(always)]
pub fn value<T: FromBytes>(fill: impl FnOnce(&mut Unfilled<'_>)) -> Option<T> {
    let mut place = MaybeUninit::uninit();
    value_in(&mut place, fill)?;
    // SAFETY: it is there.
    Some(unsafe { place.assume_init() })
}

/// The same in a place of the caller's, where a large one may stay.
#[inline(always)]
pub fn value_in<T: FromBytes>(value: &mut MaybeUninit<T>, fill: impl FnOnce(&mut Unfilled<'_>)) -> Option<&mut T> {
    let start = value.as_mut_ptr().cast::<MaybeUninit<u8>>();
    // SAFETY: these are the bytes of the value, which is borrowed meanwhile by nobody else.
    let mut unfilled = Unfilled::new(unsafe { slice::from_raw_parts_mut(start, size_of::<T>()) });
    fill(&mut unfilled);
    // Whoever fills may have put other memory in its place: what that has is not here.
    let is_whole = core::ptr::eq(unfilled.place.as_ptr(), start) && unfilled.room() == 0;
    // SAFETY: each byte has been written, and any bytes are a value of this type.
    is_whole.then(|| unsafe { value.assume_init_mut() })
}

/// Has `fill` put bytes behind those of `bytes`, `most` of them at most; says how many came.
pub fn append(bytes: &mut Vec<u8>, most: usize, fill: impl FnOnce(&mut Unfilled<'_>)) -> usize {
    bytes.reserve(most);
    let spare = &mut bytes.spare_capacity_mut()[..most];
    let start = spare.as_ptr();
    let mut unfilled = Unfilled::new(spare);
    fill(&mut unfilled);
    // Whoever fills may have put other memory in its place: what that has is not here.
    let count = if core::ptr::eq(unfilled.place.as_ptr(), start) { unfilled.filled() } else { 0 };
    // SAFETY: behind the bytes there are so many that were written, within the capacity.
    unsafe { bytes.set_len(bytes.len() + count) };
    count
}
