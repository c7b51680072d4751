//! A processor's free blocks: two magazines for each class.
//!
//! One magazine is filled and emptied, the other is full or missing, so that blocks travel in full magazines and
//! never to and fro at the border between two (J. Bonwick, J. Adams, "Magazines and Vmem", USENIX 2001).

use core::{
    cell::Cell,
    ptr::{NonNull, null_mut},
    sync::atomic::{AtomicPtr, AtomicU32, Ordering::Relaxed},
};

use super::{class, slab::Free};

/// What others read for their statistics is atomic, which costs nothing here.
struct Magazine {
    /// Blocks at hand.
    blocks: Cell<*mut Free>,
    /// How many.
    count: AtomicU32,
    /// How many were taken from the centre last.
    taken: Cell<u32>,
    /// A full magazine, or null.
    full: AtomicPtr<Free>,
}

impl Magazine {
    #[expect(clippy::declare_interior_mutable_const, reason = "each use is a magazine of its own")]
    const NONE: Self = Self {
        blocks: Cell::new(null_mut()),
        count: AtomicU32::new(0),
        taken: Cell::new(0),
        full: AtomicPtr::new(null_mut()),
    };

    fn hold(&self, blocks: *mut Free, count: u32) {
        self.blocks.set(blocks);
        self.count.store(count, Relaxed);
    }
}

/// The magazines. A cache line of its own, or two processors would fight over one.
///
/// One at a time uses a cache; [`Cache::count`] alone is for everyone.
#[repr(align(64))]
pub struct Cache {
    magazines: [Magazine; class::COUNT],
}

impl Cache {
    pub const fn new() -> Self {
        Self { magazines: [const { Magazine::NONE }; class::COUNT] }
    }

    /// The magazines of a class.
    #[inline]
    fn magazine(&self, class: usize) -> &Magazine {
        // There is no larger class, and no code for a panic.
        &self.magazines[class.min(class::COUNT - 1)]
    }

    /// A block of that class, if there is one at hand.
    #[inline]
    pub fn take(&self, class: usize) -> Option<NonNull<u8>> {
        let magazine = self.magazine(class);
        let block = NonNull::new(magazine.blocks.get())?;
        // SAFETY: a block in a list is free, and holds what was written there.
        magazine.hold(unsafe { block.as_ref() }.next, magazine.count.load(Relaxed) - 1);
        Some(block.cast())
    }

    /// Puts a block of that class at hand; `false`, and nothing is done, when the magazine is full.
    ///
    /// # Safety
    /// The block is of this class and not used any more.
    #[inline]
    pub unsafe fn put(&self, class: usize, block: NonNull<u8>) -> bool {
        let magazine = self.magazine(class);
        let count = magazine.count.load(Relaxed);
        if count >= class::batch(class) {
            return false;
        }
        // SAFETY: every block is aligned for an address and has room for it; the caller promises the rest.
        unsafe { block.cast::<Free>().write(Free { next: magazine.blocks.get() }) };
        magazine.hold(block.cast().as_ptr(), count + 1);
        true
    }

    /// Takes up the other magazine when the one at hand is empty; whether there was one.
    pub fn take_up(&self, class: usize) -> bool {
        let magazine = self.magazine(class);
        let full = magazine.full.load(Relaxed);
        if full.is_null() {
            return false;
        }
        magazine.full.store(null_mut(), Relaxed);
        magazine.hold(full, class::batch(class));
        true
    }

    /// How many blocks to take from the centre: one the first time, then twice as many each time, `most` at last.
    pub fn wants(&self, class: usize, most: u32) -> u32 {
        let magazine = self.magazine(class);
        magazine.taken.set((magazine.taken.get() * 2).clamp(1, class::batch(class).min(most)));
        magazine.taken.get()
    }

    /// Fills the empty magazine at hand.
    pub fn fill(&self, class: usize, (blocks, count): (*mut Free, u32)) {
        self.magazines[class].hold(blocks, count);
    }

    /// Lays the full magazine at hand aside and begins an empty one; returns the one that lay there, or null.
    pub fn lay_aside(&self, class: usize) -> *mut Free {
        let magazine = self.magazine(class);
        let before = magazine.full.load(Relaxed);
        magazine.full.store(magazine.blocks.get(), Relaxed);
        magazine.hold(null_mut(), 0);
        before
    }

    /// Blocks of a class that lie here.
    pub fn count(&self, class: usize) -> usize {
        let magazine = self.magazine(class);
        let aside = if magazine.full.load(Relaxed).is_null() { 0 } else { class::batch(class) };
        (magazine.count.load(Relaxed) + aside) as usize
    }
}
