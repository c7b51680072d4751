//! A thread, and finding the one that runs.
//!
//! Unsafe: the processor keeps a bare word per thread, and the layer above keeps a block of its own type in each
//! thread; both come back as references here and nowhere else.
#![allow(unsafe_code)]

use alloc::{boxed::Box, sync::Arc};
use core::{
    marker::PhantomData,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::memory::AddressSpace;

/// A thread of an application.
///
/// What a thread owns beyond this depends on the layer above (descriptors, signals): its *resources*, a block of a
/// type that only that layer knows.
pub struct Thread {
    space: Arc<AddressSpace>,
    /// The block, and the key that opens it.
    resources: *const (),
    key: *const AtomicBool,
    interrupted: AtomicBool,
}

// SAFETY: the block is `Send` and `Sync` (`start_first`), the key is only compared.
unsafe impl Send for Thread {}
// SAFETY: as above.
unsafe impl Sync for Thread {}

/// A key to the resources of threads, of type `T`: one static of the layer above. That a thread's block is a `T` is
/// known by the key it was made with, whose address no other key has; so a look costs one compare.
#[derive(Debug)]
pub struct Key<T> {
    /// Whether a thread was made with it. Interior mutability also keeps the compiler from laying two keys together.
    used: AtomicBool,
    resources: PhantomData<fn() -> T>,
}

impl<T> Key<T> {
    /// A new key.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a key is made to be a static")]
    pub const fn new() -> Self {
        Self { used: AtomicBool::new(false), resources: PhantomData }
    }
}

impl Thread {
    /// The address space it runs in.
    #[inline(always)]
    pub fn space(&self) -> &Arc<AddressSpace> {
        &self.space
    }

    /// The block that the layer above gave this thread. Panics with another key: an image has one such layer.
    #[inline(always)]
    pub fn resources<T: Send + Sync + 'static>(&self, key: &'static Key<T>) -> &T {
        if !core::ptr::eq(self.key, &raw const key.used) {
            wrong_key();
        }
        // SAFETY: `start_first` was given this very key, so the block is a `T`; it is never freed.
        unsafe { &*self.resources.cast::<T>() }
    }

    /// Says whether something (a signal that will be delivered) should end this thread's waits.
    pub fn set_interrupted(&self, interrupted: bool) {
        self.interrupted.store(interrupted, Ordering::Relaxed);
    }

    /// What [`Thread::set_interrupted`] said last.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// Turns the boot thread into the application's first thread and makes it current. Its kernel stack is the boot stack.
pub fn start_first<T: Send + Sync + 'static>(
    key: &'static Key<T>,
    resources: T,
    space: Arc<AddressSpace>,
) -> &'static Thread {
    key.used.store(true, Ordering::Relaxed);
    let thread: &'static Thread = Box::leak(Box::new(Thread {
        space,
        resources: Box::into_raw(Box::new(resources)).cast(),
        key: &raw const key.used,
        interrupted: AtomicBool::new(false),
    }));
    contracts::processor::set_thread(core::ptr::from_ref(thread) as usize, contracts::processor::boot_stack_top());
    thread
}

/// The thread that runs on this processor, if one has been started.
#[inline(always)]
pub fn try_current() -> Option<&'static Thread> {
    let handle = contracts::processor::thread();
    // SAFETY: the handle is 0 or was made by `start_first` from a reference that lives for ever.
    unsafe { (handle as *const Thread).as_ref() }
}

/// The thread that runs on this processor. Panics before the first one is started.
#[inline(always)]
pub fn current() -> &'static Thread {
    match try_current() {
        Some(thread) => thread,
        None => nobody(),
    }
}

// Panics stand behind calls without arguments, because threads are asked for everywhere.
#[cold]
#[inline(never)]
fn nobody() -> ! {
    panic!("no thread runs yet")
}

#[cold]
#[inline(never)]
fn wrong_key() -> ! {
    panic!("a thread's resources have one key")
}
