//! A device's registers in memory.

use core::ptr::NonNull;

use virtio::transport::{Registers, pci::Doorbells};

use crate::board;

/// `LENGTH` bytes of mapped device registers. Copies are views of the same registers. The length is a constant, so that
/// the check of a constant offset costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Window<const LENGTH: usize> {
    start: NonNull<u8>,
}

// SAFETY: registers belong to no thread; their drivers are behind locks.
unsafe impl<const LENGTH: usize> Send for Window<LENGTH> {}

impl<const LENGTH: usize> Window<LENGTH> {
    /// Maps registers at physical `address`; `None` if it is not aligned for them.
    pub fn map(address: u64) -> Option<Self> {
        if !address.is_multiple_of(4) {
            return None;
        }
        Some(Self { start: board::map_device(address, LENGTH)? })
    }

    /// The mapped address, for [`Window::from_address`].
    pub fn address(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The window whose [`Window::address`] this is; `None` for null.
    ///
    /// # Safety
    /// `start` came from a window of this length, or is null.
    pub unsafe fn from_address(start: *mut u8) -> Option<Self> {
        NonNull::new(start).map(|start| Self { start })
    }

    /// The register at `offset`, if it is inside and aligned.
    #[inline(always)]
    fn register<T>(&self, offset: usize) -> Option<NonNull<T>> {
        let inside = offset.checked_add(size_of::<T>())? <= LENGTH && offset.is_multiple_of(align_of::<T>());
        // SAFETY: formed only inside the mapping.
        inside.then(|| unsafe { self.start.add(offset) }.cast())
    }

    #[inline(always)]
    fn read<T: Default>(&self, offset: usize) -> T {
        // SAFETY: `register` checked bounds and alignment (a mapping is aligned to 4 bytes, and no T here is wider);
        // device mappings stay for ever, and every T here is an integer.
        self.register(offset).map_or_else(T::default, |register| unsafe { register.read_volatile() })
    }

    #[inline(always)]
    fn write<T>(&self, offset: usize, value: T) {
        if let Some(register) = self.register(offset) {
            // SAFETY: as in `read`; no Rust object lives in device registers.
            unsafe { register.write_volatile(value) };
        }
    }
}

impl<const LENGTH: usize> Registers for Window<LENGTH> {
    #[inline(always)]
    fn read8(&self, offset: usize) -> u8 {
        self.read(offset)
    }

    #[inline(always)]
    fn read16(&self, offset: usize) -> u16 {
        self.read(offset)
    }

    #[inline(always)]
    fn read32(&self, offset: usize) -> u32 {
        self.read(offset)
    }

    #[inline(always)]
    fn write8(&self, offset: usize, value: u8) {
        self.write(offset, value);
    }

    #[inline(always)]
    fn write16(&self, offset: usize, value: u16) {
        self.write(offset, value);
    }

    #[inline(always)]
    fn write32(&self, offset: usize, value: u32) {
        self.write(offset, value);
    }
}

/// Mapped registers of a device that says itself how many they are and where in them it is to be notified.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    start: NonNull<u8>,
    length: usize,
}

// SAFETY: as for `Window`.
unsafe impl Send for Stretch {}

impl Stretch {
    /// Maps registers at physical `address`.
    pub fn map(address: u64, length: usize) -> Option<Self> {
        Some(Self { start: board::map_device(address, length)?, length })
    }

    /// Reads 8 bits; 0 behind the end.
    pub fn read8(&self, offset: usize) -> u8 {
        if offset >= self.length {
            return 0;
        }
        // SAFETY: inside the mapping, which stays for ever and in which no Rust object lives.
        unsafe { self.start.add(offset).read_volatile() }
    }
}

impl Doorbells for Stretch {
    fn ring(&self, offset: usize, queue: u16) {
        if offset.checked_add(size_of::<u16>()).is_some_and(|end| end <= self.length) {
            // SAFETY: inside the mapping, which stays for ever and in which no Rust object lives.
            let register = unsafe { self.start.add(offset) }.cast::<u16>();
            if register.is_aligned() {
                // SAFETY: as above, and aligned.
                unsafe { register.write_volatile(queue) };
            }
        }
    }
}
