//! Where the entry of system calls finds their handlers.

use core::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed},
};

/// What answers a system call: by the six words of its arguments, with the number that goes into the application's
/// result register. Whoever calls it need not have come by a trap. [`crate::handler!`] makes one.
#[cfg(panic = "abort")]
pub type Handler = extern "C" fn(usize, usize, usize, usize, usize, usize) -> isize;

/// As in a kernel; but a test on the host ends a thread by unwinding through the call that it made.
#[cfg(not(panic = "abort"))]
pub type Handler = extern "C-unwind" fn(usize, usize, usize, usize, usize, usize) -> isize;

/// A function with the calling convention of [`Handler`].
#[cfg(panic = "abort")]
#[macro_export]
macro_rules! handler {
    ($(#[$attribute:meta])* pub fn $($rest:tt)*) => { $(#[$attribute])* pub extern "C" fn $($rest)* };
}

/// A function with the calling convention of [`Handler`].
#[cfg(not(panic = "abort"))]
#[macro_export]
macro_rules! handler {
    ($(#[$attribute:meta])* pub fn $($rest:tt)*) => { $(#[$attribute])* pub extern "C-unwind" fn $($rest)* };
}

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
