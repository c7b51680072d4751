//! Pages of memory that hold file contents.
//!
//! A [`Page`] is at once a place in the kernel's memory, to and from which read(2) and write(2) copy, and what mmap(2)
//! shows to programs. It belongs to a file and to whoever copies from it at the moment (`Arc`); a mapping does not own
//! it: before a file lets go of a page, it has the mappings forget it.
//!
//! Unsafe: a page is raw memory that programs may change at any time.
#![no_std]
#![allow(unsafe_code)]

extern crate alloc;

#[cfg(test)]
mod tests;

use alloc::{
    alloc::{Layout, alloc_zeroed, dealloc},
    sync::Arc,
    vec::Vec,
};
use core::ptr::NonNull;

use sync::{Alone, Mutex};

/// Bytes of a page.
pub const SIZE: usize = 4096;

/// The bytes of a page.
pub type Bytes = [u8; SIZE];

/// Where pages come from.
///
/// # Safety
/// What [`Memory::allocate`] gives begins at a page boundary, is valid for reads and writes of [`SIZE`] bytes, holds
/// zeros or other initialised bytes, and is given to nobody else before [`Memory::free`].
pub unsafe trait Memory: Send + Sync {
    /// A page; `None` if there is no more.
    fn allocate(&self) -> Option<NonNull<Bytes>>;

    /// Takes a page back.
    ///
    /// # Safety
    /// It came from [`Memory::allocate`] of the same instance, and nobody uses it any more.
    unsafe fn free(&self, page: NonNull<Bytes>);
}

/// Pages of Rust's global allocator, for files that no program maps.
#[derive(Debug)]
pub struct Allocator;

const LAYOUT: Layout = match Layout::from_size_align(SIZE, SIZE) {
    Ok(layout) => layout,
    Err(_) => panic!("a page has a layout"),
};

// SAFETY: the allocator gives aligned and, so, zeroed memory to one asker only.
unsafe impl Memory for Allocator {
    fn allocate(&self) -> Option<NonNull<Bytes>> {
        // SAFETY: the layout has a size.
        NonNull::new(unsafe { alloc_zeroed(LAYOUT) }.cast())
    }

    unsafe fn free(&self, page: NonNull<Bytes>) {
        // SAFETY: it came from `allocate`.
        unsafe { dealloc(page.as_ptr().cast(), LAYOUT) }
    }
}

/// One page.
pub struct Page {
    place: NonNull<Bytes>,
    memory: &'static dyn Memory,
    /// Held by whoever copies in the kernel, so that only programs change what somebody looks at.
    copying: Mutex<()>,
}

// SAFETY: the memory belongs to the page, wherever that goes; access goes through `copying`.
unsafe impl Send for Page {}
// SAFETY: as above.
unsafe impl Sync for Page {}

impl Page {
    /// A page of zeros; `None` if there is no memory.
    #[must_use]
    pub fn zeroed(memory: &'static dyn Memory) -> Option<Arc<Self>> {
        Self::filled(memory, |bytes| bytes.fill(0))
    }

    /// A page that `fill` writes before anybody else sees it; `None` if there is no memory. What was in the memory
    /// before is there for `fill` to overwrite: all of it.
    pub fn filled(memory: &'static dyn Memory, fill: impl FnOnce(&mut Bytes)) -> Option<Arc<Self>> {
        let mut place = memory.allocate()?;
        // SAFETY: valid, initialised, and nobody else's, as the trait promises.
        fill(unsafe { place.as_mut() });
        Some(Arc::new(Self { place, memory, copying: Mutex::new(()) }))
    }

    /// Up to `count` pages that `fill` writes before anybody else sees them, all together: one request to a device may
    /// fill them all. Fewer, perhaps none, if there is no more memory. `fill` overwrites every byte, as for
    /// [`Page::filled`].
    pub fn several(memory: &'static dyn Memory, count: usize, fill: impl FnOnce(&mut [&mut [u8]])) -> Vec<Arc<Self>> {
        let mut places = Vec::with_capacity(count);
        places.extend(core::iter::from_fn(|| memory.allocate()).take(count));
        // SAFETY: valid, initialised, and nobody else's, as the trait promises; all are different places.
        let mut bytes: Vec<&mut [u8]> = places.iter_mut().map(|place| unsafe { &mut place.as_mut()[..] }).collect();
        fill(&mut bytes);
        drop(bytes);
        places.into_iter().map(|place| Arc::new(Self { place, memory, copying: Mutex::new(()) })).collect()
    }

    /// Its address: a multiple of [`SIZE`].
    #[must_use]
    pub fn address(&self) -> usize {
        self.place.addr().get()
    }

    /// Shows the bytes to `look`, which only copies them: a program that has the page mapped may change them meanwhile.
    pub fn with<R>(&self, look: impl FnOnce(&Bytes) -> R) -> R {
        let _copying = self.copying.lock();
        self.look(look)
    }

    /// As [`Page::with`], for those who look at a few bytes.
    #[inline(always)]
    pub fn with_in_line<R>(&self, look: impl FnOnce(&Bytes) -> R) -> R {
        let _copying = self.copying.lock_in_line();
        self.look(look)
    }

    /// The same where there is one processor; `None` if somebody holds the lock, or if `look` answers that.
    #[inline(always)]
    pub fn with_alone<R>(&self, alone: Alone, look: impl FnOnce(&Bytes) -> Option<R>) -> Option<R> {
        let _copying = self.copying.try_lock_while(alone)?;
        self.look(look)
    }

    /// The lock is held.
    #[inline(always)]
    fn look<R>(&self, look: impl FnOnce(&Bytes) -> R) -> R {
        // SAFETY: the memory is ours, and whoever changes it in the kernel holds the lock. That a program stores into
        // it is like a store into any memory that it shares with us: each byte is one of its values.
        look(unsafe { self.place.as_ref() })
    }

    /// Has `change` write bytes, under the same condition as [`Page::with`].
    pub fn change<R>(&self, change: impl FnOnce(&mut Bytes) -> R) -> R {
        let _copying = self.copying.lock();
        self.write(change)
    }

    /// As [`Page::change`], for those who write a few bytes.
    #[inline(always)]
    pub fn change_in_line<R>(&self, change: impl FnOnce(&mut Bytes) -> R) -> R {
        let _copying = self.copying.lock_in_line();
        self.write(change)
    }

    /// The same under the same conditions as [`Page::with_alone`].
    #[inline(always)]
    pub fn change_alone<R>(&self, alone: Alone, change: impl FnOnce(&mut Bytes) -> Option<R>) -> Option<R> {
        let _copying = self.copying.try_lock_while(alone)?;
        self.write(change)
    }

    /// The lock is held.
    #[inline(always)]
    fn write<R>(&self, change: impl FnOnce(&mut Bytes) -> R) -> R {
        let mut place = self.place;
        // SAFETY: as above; the lock keeps every other reference of the kernel away.
        change(unsafe { place.as_mut() })
    }
}

impl core::fmt::Debug for Page {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "Page at {:#x}", self.address())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: it came from there, and the last user goes.
        unsafe { self.memory.free(self.place) }
    }
}
