//! A thread, and finding the one that runs.
//!
//! Unsafe: the processor keeps a bare word per thread, and the layer above keeps a block of its own type in each
//! thread; both come back as references here and nowhere else.
#![allow(unsafe_code)]

use alloc::{boxed::Box, sync::Arc};
use core::{
    any::TypeId,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::memory::AddressSpace;

/// A thread of an application.
///
/// What a thread owns beyond this depends on the layer above (descriptors, signals): its *resources*, a block of a
/// type that only that layer knows.
pub struct Thread {
    space: Arc<AddressSpace>,
    resources: &'static (dyn Send + Sync),
    resources_type: TypeId,
    interrupted: AtomicBool,
}

impl Thread {
    /// The address space it runs in.
    #[inline(always)]
    pub fn space(&self) -> &Arc<AddressSpace> {
        &self.space
    }

    /// The block that the layer above gave this thread. Panics if it is of another type: an image has one such layer.
    #[inline(always)]
    pub fn resources<T: Send + Sync + 'static>(&self) -> &T {
        assert!(self.resources_type == TypeId::of::<T>(), "a thread's resources are of one type");
        // SAFETY: the type was just compared with the one `resources` was made from, and the block is never freed
        // before the thread.
        unsafe { &*core::ptr::from_ref(self.resources).cast::<T>() }
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
pub fn start_first<T: Send + Sync + 'static>(resources: T, space: Arc<AddressSpace>) -> &'static Thread {
    let thread: &'static Thread = Box::leak(Box::new(Thread {
        space,
        resources: Box::leak(Box::new(resources)),
        resources_type: TypeId::of::<T>(),
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
    try_current().expect("no thread runs yet")
}
