//! Memory that driver and device both reach, and the only unsafe code of this crate.
#![allow(unsafe_code)]

use core::ptr::NonNull;

/// Bytes that a device may read and write at any time.
///
/// They are copied in and out and never borrowed, so a device that writes where or when it should not can change
/// values, not break Rust's rules. Accesses beyond the end do nothing (loads give 0).
#[derive(Clone, Copy, Debug)]
pub struct Shared {
    start: NonNull<u8>,
    physical: u64,
    length: usize,
}

// SAFETY: the memory belongs to no thread (see `Shared::new`), and all accesses are copies of plain bytes.
unsafe impl Send for Shared {}

impl Shared {
    /// Shares the `length` bytes at `start`, which the device finds at `physical`.
    ///
    /// # Safety
    /// The memory is readable and writable at `start` for ever, `start` is aligned to 16 bytes, and nothing else in
    /// the program refers to it from now on (other [`Shared`]s may).
    #[must_use]
    pub const unsafe fn new(start: NonNull<u8>, physical: u64, length: usize) -> Self {
        Self { start, physical, length }
    }

    /// Its address for the device.
    #[must_use]
    pub const fn physical(&self) -> u64 {
        self.physical
    }

    /// Its bytes.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.length
    }

    /// The `length` bytes from `offset` on; `None` if they are not all inside.
    #[must_use]
    #[inline(never)]
    pub fn part(&self, offset: usize, length: usize) -> Option<Self> {
        if offset.checked_add(length)? > self.length {
            return None;
        }
        // SAFETY: offset is at most the length of the object that `start` points to.
        let start = unsafe { self.start.add(offset) };
        Some(Self { start, physical: self.physical + offset as u64, length })
    }

    /// Lends all of it to a device, to read, or with `writable` to write.
    #[must_use]
    pub const fn lend(&self, writable: bool) -> Lent {
        Lent { physical: self.physical, length: self.length as u32, writable }
    }

    /// Copies from `offset` on into `destination`, as much as there is; returns the bytes copied.
    pub fn read(&self, offset: usize, destination: &mut [u8]) -> usize {
        let count = destination.len().min(self.length.saturating_sub(offset));
        if count > 0 {
            // SAFETY: `offset + count <= length`, so the source is ours by the promise of `new`; `destination` is
            // borrowed, so it is none of it. A device that writes meanwhile makes the bytes garbage, nothing else.
            unsafe { core::ptr::copy_nonoverlapping(self.start.as_ptr().add(offset), destination.as_mut_ptr(), count) };
        }
        count
    }

    /// Copies `source` to `offset`, as much as fits; returns the bytes copied.
    pub fn write(&self, offset: usize, source: &[u8]) -> usize {
        let count = source.len().min(self.length.saturating_sub(offset));
        if count > 0 {
            // SAFETY: as in `read`, with the two sides exchanged.
            unsafe { core::ptr::copy_nonoverlapping(source.as_ptr(), self.start.as_ptr().add(offset), count) };
        }
        count
    }

    /// Copies an array to `offset`, if all of it fits; returns the bytes copied.
    #[inline]
    pub fn write_array<const N: usize>(&self, offset: usize, source: &[u8; N]) -> usize {
        if offset.checked_add(N).is_none_or(|end| end > self.length) {
            return 0;
        }
        // SAFETY: all of it is inside, and an array of bytes has no alignment.
        unsafe { self.start.add(offset).cast::<[u8; N]>().write(*source) };
        N
    }

    /// Lends a part of it to a device, to read; `None` if that is not all inside.
    #[must_use]
    #[inline]
    pub fn lend_part(&self, offset: usize, length: usize) -> Option<Lent> {
        let inside = offset.checked_add(length)? <= self.length;
        inside.then(|| Lent { physical: self.physical + offset as u64, length: length as u32, writable: false })
    }

    /// The field of `size` bytes, a power of two, at `offset`, if it is inside and aligned.
    #[inline(always)]
    fn field(&self, offset: usize, size: usize) -> Option<NonNull<u8>> {
        if offset.checked_add(size)? > self.length {
            return None;
        }
        // SAFETY: the pointer stays inside the memory of `new`.
        let field = unsafe { self.start.add(offset) };
        (field.addr().get() & (size - 1) == 0).then_some(field)
    }

    /// One load of a little-endian 16-bit field.
    #[must_use]
    #[inline(never)]
    pub fn load16(&self, offset: usize) -> u16 {
        // SAFETY: `field` checked bounds and alignment; any bits are a u16.
        self.field(offset, 2).map_or(0, |field| u16::from_le(unsafe { field.cast().read_volatile() }))
    }

    /// One load of a little-endian 32-bit field.
    #[must_use]
    #[inline(never)]
    pub fn load32(&self, offset: usize) -> u32 {
        // SAFETY: `field` checked bounds and alignment; any bits are a u32.
        self.field(offset, 4).map_or(0, |field| u32::from_le(unsafe { field.cast().read_volatile() }))
    }

    /// One store of a little-endian 16-bit field.
    #[inline(never)]
    pub fn store16(&self, offset: usize, value: u16) {
        if let Some(field) = self.field(offset, 2) {
            // SAFETY: `field` checked bounds and alignment; nothing borrows this memory.
            unsafe { field.cast().write_volatile(value.to_le()) };
        }
    }

    /// One store of a little-endian 64-bit field.
    #[inline(never)]
    pub fn store64(&self, offset: usize, value: u64) {
        if let Some(field) = self.field(offset, 8) {
            // SAFETY: `field` checked bounds and alignment; nothing borrows this memory.
            unsafe { field.cast().write_volatile(value.to_le()) };
        }
    }
}

/// A stretch of somebody's memory that a device may use for one request.
#[derive(Clone, Copy, Debug)]
pub struct Lent {
    pub(crate) physical: u64,
    pub(crate) length: u32,
    pub(crate) writable: bool,
}

impl Lent {
    /// A place for one.
    pub(crate) const NONE: Self = Self { physical: 0, length: 0, writable: false };

    /// Lends the `length` bytes that the device finds at `physical`, to read, or with `writable` to write.
    ///
    /// # Safety
    /// Until the request is done or the device is reset, they stay what they are: readable, or the lender's alone.
    #[must_use]
    pub const unsafe fn new(physical: u64, length: u32, writable: bool) -> Self {
        Self { physical, length, writable }
    }
}

/// A type of which any bits are a value, and which holds no pointer.
pub(crate) trait Plain: Copy {}
impl Plain for u16 {}
impl Plain for [u32; 2] {}
impl Plain for [u64; 2] {}

/// A power of two of little-endian fields in shared memory. Bounds are checked when it is made; an index goes around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<T> {
    start: NonNull<T>,
    mask: usize,
}

// SAFETY: as for `Shared`.
unsafe impl<T> Send for Table<T> {}

impl<T: Plain> Table<T> {
    /// The `count` fields at `offset`; `None` if they are not all inside, or not aligned, or their number is not a
    /// power of two.
    #[inline(always)]
    pub(crate) fn new(memory: &Shared, offset: usize, count: u16) -> Option<Self> {
        let count = usize::from(count);
        if offset.checked_add(count * size_of::<T>())? > memory.length || !count.is_power_of_two() {
            return None;
        }
        // SAFETY: as in `part`.
        let start = unsafe { memory.start.add(offset) }.cast::<T>();
        start.is_aligned().then_some(Self { start, mask: count - 1 })
    }

    /// One load of a field.
    #[inline(always)]
    pub(crate) fn load(&self, index: usize) -> T {
        // SAFETY: `new` checked bounds and alignment; any bits are a value.
        unsafe { self.start.add(index & self.mask).read_volatile() }
    }

    /// One store of a field.
    #[inline(always)]
    pub(crate) fn store(&self, index: usize, value: T) {
        // SAFETY: `new` checked bounds and alignment; nothing borrows this memory.
        unsafe { self.start.add(index & self.mask).write_volatile(value) };
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{boxed::Box, vec};

    use super::*;

    /// `length` zero bytes for ever, at a made-up physical address.
    pub(crate) fn leak(physical: u64, length: usize) -> Shared {
        let memory = Box::leak(vec![0_u128; length.div_ceil(16)].into_boxed_slice());
        // SAFETY: leaked, so for ever; aligned by its type; the only reference ends here.
        unsafe { Shared::new(NonNull::from(memory).cast(), physical, length) }
    }

    #[test]
    fn accesses_stay_inside() {
        let memory = leak(0x1000, 24);
        memory.store64(16, 0x1122_3344_5566_7788);
        memory.store64(20, u64::MAX);
        memory.store64(usize::MAX, u64::MAX);
        assert_eq!(
            (memory.load32(20), memory.load16(16), memory.load16(23), memory.load16(17)),
            (0x1122_3344, 0x7788, 0, 0)
        );
        assert_eq!(memory.write(22, b"abc"), 2);
        let mut bytes = [0; 8];
        assert_eq!((memory.read(22, &mut bytes), &bytes[..3]), (2, &b"ab\0"[..]));
        assert_eq!((memory.read(24, &mut bytes), memory.read(usize::MAX, &mut bytes)), (0, 0));
        let part = memory.part(8, 16).unwrap();
        assert_eq!((part.physical(), part.length(), part.load16(8)), (0x1008, 16, 0x7788));
        assert!(memory.part(9, 16).is_none() && memory.part(usize::MAX, 2).is_none());
    }
}
