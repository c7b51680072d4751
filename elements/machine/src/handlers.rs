//! Where the entry of system calls finds their handlers.

use core::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed},
};

/// What answers a system call: by the six words of its arguments, with the number that goes into the application's
/// result register. Whoever calls it need not have come by a trap. (Tests on the host unwind through it.)
pub type Handler = extern "C-unwind" fn(usize, usize, usize, usize, usize, usize) -> isize;

/// What [`crate::Processor::answer_by`] was given last, for an entry in assembly: it compares the number with the first
/// word, and finds the handlers from the address in the second one.
#[derive(Debug)]
#[repr(C)]
pub struct Handlers {
    count: AtomicUsize,
    first: AtomicPtr<Handler>,
}

impl Handlers {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { count: AtomicUsize::new(0), first: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Takes these. Another processor may be between the two words: a table that has been given away stays, so it finds
    /// one whose numbers are as many.
    pub fn set(&self, handlers: &'static [Handler]) {
        self.count.store(0, Relaxed);
        if let Some(first) = handlers.first() {
            self.first.store(ptr::from_ref(first).cast_mut(), Relaxed);
            self.count.store(handlers.len(), Relaxed);
        }
    }
}

impl Default for Handlers {
    fn default() -> Self {
        Self::new()
    }
}
