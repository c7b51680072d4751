//! Pages of the image itself: a heap without page tables, of a size that is known when the image is built.

use core::{
    cell::UnsafeCell,
    ptr::NonNull,
    sync::atomic::{AtomicUsize, Ordering},
};

use machine::PAGE_SIZE;

use crate::PageSource;

/// `BYTES` of memory within the heap that they are for; a rest of less than a page is not used.
///
/// A heap over a region is a `static`, as a contract's slot makes it: its blocks lie in it, so it must not be moved
/// after its first allocation.
#[repr(C, align(4096))]
pub struct Region<const BYTES: usize> {
    /// Zeros, which cost a file nothing; uninitialised bytes would be written into it.
    memory: UnsafeCell<[u8; BYTES]>,
    /// Bytes given out.
    used: AtomicUsize,
}

// SAFETY: each byte is given out once, and looked at by nobody else.
unsafe impl<const BYTES: usize> Sync for Region<BYTES> {}

// SAFETY: the memory is aligned to a page because the region is and each piece begins a multiple of pages behind its
// start; `used` shrinks only by the last piece when it comes back, so pieces are apart; and a static region stays for
// ever.
unsafe impl<const BYTES: usize> PageSource for Region<BYTES> {
    const NEW: Self = Self { memory: UnsafeCell::new([0; BYTES]), used: AtomicUsize::new(0) };

    fn pages(&self, count: usize) -> Option<NonNull<[u8]>> {
        let bytes = count.checked_mul(PAGE_SIZE)?;
        let take = |used: usize| used.checked_add(bytes).filter(|&used| used <= BYTES);
        let start = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        let memory = NonNull::new(self.memory.get().cast::<u8>())?;
        // SAFETY: the piece lies within the memory.
        Some(NonNull::slice_from_raw_parts(unsafe { memory.add(start) }, bytes))
    }

    fn limit(&self) -> usize {
        BYTES
    }

    unsafe fn give_back(&self, memory: NonNull<[u8]>) -> bool {
        let start = memory.cast::<u8>().addr().get() - self.memory.get().addr();
        self.used.compare_exchange(start + memory.len(), start, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

impl<const BYTES: usize> Region<BYTES> {
    /// Whether an address lies in it.
    pub fn contains(&self, address: usize) -> bool {
        address.wrapping_sub(self.memory.get().addr()) < BYTES
    }
}

#[cfg(test)]
mod tests {
    use core::alloc::Layout;

    use super::*;
    use crate::{Heap, Tlsf};

    #[test]
    fn pages_are_apart_and_end() {
        static REGION: Region<{ 4 * PAGE_SIZE + 100 }> = Region::NEW;
        let (first, second) = (REGION.pages(1).unwrap(), REGION.pages(3).unwrap());
        assert_eq!(first.len(), PAGE_SIZE);
        assert_eq!(second.cast::<u8>().addr().get() - first.cast::<u8>().addr().get(), PAGE_SIZE);
        assert_eq!(first.cast::<u8>().addr().get() % PAGE_SIZE, 0);
        assert!(REGION.pages(1).is_none() && REGION.pages(usize::MAX).is_none());
    }

    #[test]
    fn the_last_piece_comes_back() {
        static REGION: Region<{ 4 * PAGE_SIZE }> = Region::NEW;
        let (first, second) = (REGION.pages(1).unwrap(), REGION.pages(3).unwrap());
        // SAFETY: the pieces are the region's and used by nobody.
        unsafe {
            assert!(!REGION.give_back(first));
            assert!(REGION.give_back(second) && REGION.give_back(first));
        }
        assert_eq!(REGION.pages(4).unwrap().cast(), first.cast::<u8>());
    }

    #[test]
    fn a_small_region_serves_a_heap() {
        static HEAP: Tlsf<Region<{ 4 * PAGE_SIZE }>> = Tlsf::new();
        let layout = Layout::new::<[u64; 100]>();
        let count = (0..).take_while(|_| HEAP.allocate(layout).is_some()).count();
        assert!((10..=4 * PAGE_SIZE / layout.size()).contains(&count), "{count}");
    }
}
