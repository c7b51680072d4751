//! A device's registers in memory.

use core::ptr::NonNull;

use virtio::transport::Registers;

/// Mapped device registers. Copies are views of the same registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    start: NonNull<u8>,
    length: usize,
}

// SAFETY: registers belong to no thread; their drivers are behind locks.
unsafe impl Send for Window {}

impl Window {
    /// Maps registers at physical `address`.
    pub(super) fn map(address: u64, length: usize) -> Option<Self> {
        Some(Self { start: crate::memory::map_device(address, length)?, length })
    }

    /// The mapped address, for [`Window::from_address`].
    pub(super) fn address(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The window whose [`Window::address`] this is.
    ///
    /// # Safety
    /// `start` came from a window of at least `length` bytes.
    pub(super) unsafe fn from_address(start: *mut u8, length: usize) -> Option<Self> {
        NonNull::new(start).map(|start| Self { start, length })
    }

    /// The register at `offset`, if it is inside and aligned.
    fn register<T>(&self, offset: usize) -> Option<*mut T> {
        let inside = offset.checked_add(size_of::<T>())? <= self.length;
        // SAFETY: formed only inside the mapping.
        let register = inside.then(|| unsafe { self.start.as_ptr().add(offset) }.cast::<T>())?;
        register.is_aligned().then_some(register)
    }

    fn read<T: Default>(&self, offset: usize) -> T {
        // SAFETY: `register` checked bounds and alignment; device mappings stay for ever, and every T here is an
        // integer.
        self.register(offset).map_or_else(T::default, |register: *mut T| unsafe { register.read_volatile() })
    }

    fn write<T>(&self, offset: usize, value: T) {
        if let Some(register) = self.register::<T>(offset) {
            // SAFETY: as in `read`; no Rust object lives in device registers.
            unsafe { register.write_volatile(value) };
        }
    }
}

impl Registers for Window {
    fn read8(&self, offset: usize) -> u8 {
        self.read(offset)
    }

    fn read16(&self, offset: usize) -> u16 {
        self.read(offset)
    }

    fn read32(&self, offset: usize) -> u32 {
        self.read(offset)
    }

    fn write8(&self, offset: usize, value: u8) {
        self.write(offset, value);
    }

    fn write16(&self, offset: usize, value: u16) {
        self.write(offset, value);
    }

    fn write32(&self, offset: usize, value: u32) {
        self.write(offset, value);
    }
}
