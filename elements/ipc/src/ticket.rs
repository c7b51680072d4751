//! A place in the line before an object: what was waited for is put into it by whoever makes it come true.

use alloc::sync::Arc;
use core::{
    sync::atomic::{AtomicBool, Ordering},
    task::Waker,
};

use sync::Mutex;

/// What one who waits holds, and the object too.
#[derive(Debug)]
pub struct Ticket<R> {
    waker: Waker,
    is_called: AtomicBool,
    result: Mutex<Option<R>>,
}

impl<R> Ticket<R> {
    /// A place for who is woken by `waker`.
    #[must_use]
    pub fn new(waker: Waker) -> Arc<Self> {
        Arc::new(Self { waker, is_called: AtomicBool::new(false), result: Mutex::new(None) })
    }

    /// Ends the wait.
    pub fn call(&self, result: R) {
        *self.result.lock() = Some(result);
        self.is_called.store(true, Ordering::Release);
        self.waker.wake_by_ref();
    }

    /// Whether the wait has ended.
    #[must_use]
    pub fn is_called(&self) -> bool {
        self.is_called.load(Ordering::Acquire)
    }

    /// How it ended; once.
    #[must_use]
    pub fn take(&self) -> Option<R> {
        self.result.lock().take()
    }
}
