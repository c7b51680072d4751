//! The address space that a thread runs in, and how it goes over to another one (execve(2) of a process that shares its
//! parent's).
//!
//! Unsafe: the running thread looks at its space without a lock. So the one that it has left lives until the thread is
//! on its way back to the application, when no reference of the call is left.
#![allow(unsafe_code)]

use alloc::sync::Arc;
use core::{
    mem::ManuallyDrop,
    ptr::{self, null_mut},
    sync::atomic::{AtomicPtr, Ordering::Relaxed},
};

use sync::Mutex;

use super::thread::{current, try_current};
use crate::memory::AddressSpace;

/// An owner of an address space, or of none.
pub(super) struct OwnSpace {
    /// Made by [`Arc::into_raw`], or null. Only the thread itself changes it, with `left` locked.
    space: AtomicPtr<AddressSpace>,
    /// What the running call has left. Dropped by hand, so that an image without spaces has nothing of it.
    left: Mutex<ManuallyDrop<Option<Arc<AddressSpace>>>>,
}

impl OwnSpace {
    pub(super) fn new(space: Option<Arc<AddressSpace>>) -> Self {
        let space = space.map_or(null_mut(), |space| Arc::into_raw(space).cast_mut());
        Self { space: AtomicPtr::new(space), left: Mutex::new(ManuallyDrop::new(None)) }
    }

    /// The space, as the thread itself sees it, or the processor that is about to run it.
    #[inline(always)]
    pub(super) fn get(&self) -> Option<&AddressSpace> {
        // SAFETY: an owner is kept here. It goes to `left` when the thread replaces it, and from there only where the
        // thread has come back from all of its calls.
        unsafe { self.space.load(Relaxed).as_ref() }
    }

    fn share(&self) -> Option<Arc<AddressSpace>> {
        let _unchanged = if contracts::config::config().processes { Some(self.left.lock()) } else { None };
        let space = self.space.load(Relaxed);
        if space.is_null() {
            return None;
        }
        // SAFETY: the owner that is kept here is not given up while `left` is locked; the new one is counted first.
        unsafe {
            Arc::increment_strong_count(space);
            Some(Arc::from_raw(space))
        }
    }

    fn replace(&self, new: Arc<AddressSpace>) {
        let mut left = self.left.lock();
        let old = self.space.swap(Arc::into_raw(new).cast_mut(), Relaxed);
        // SAFETY: it was made by `into_raw`, and is here no more. `left` is empty: it is emptied after each call.
        let before = left.replace(unsafe { Arc::from_raw(ptr::NonNull::new(old).expect("a space").as_ptr()) });
        drop(left);
        drop(before);
    }

    /// Gives the space up.
    ///
    /// # Safety
    /// Nobody uses it any more by this owner.
    pub(super) unsafe fn give_up(&self) {
        let space = self.space.swap(null_mut(), Relaxed);
        if !space.is_null() {
            // SAFETY: made by `into_raw`, and taken out.
            drop(unsafe { Arc::from_raw(space) });
        }
        if contracts::config::config().processes {
            let left = self.left.lock().take();
            drop(left);
        }
    }
}

/// The running thread's address space. Panics for a thread that has none.
#[must_use]
#[inline(always)]
pub fn space() -> &'static AddressSpace {
    current().space()
}

/// One more owner of the address space of `thread`. Panics for a thread that has none.
#[must_use]
pub fn space_of(thread: &super::Thread) -> Arc<AddressSpace> {
    thread.space.share().expect("a thread of an application")
}

/// The running thread goes on in another address space. What it has left is given up on its way back to the
/// application, when its registers there have been set ([`super::set_application_registers`]).
pub fn replace_space(new: Arc<AddressSpace>) {
    let this = current();
    this.space.replace(new);
    this.enter_space();
}

/// Has the running thread give up what it has left, on its way back to the application.
#[inline]
pub(super) fn mark_left() {
    if contracts::config::config().processes && current().space.left.lock_in_line().is_some() {
        contracts::processor::mark_pending();
    }
}

/// The running thread is on its way back to the application: nothing of a call is left.
#[inline]
pub(crate) fn let_go_of_left() {
    if contracts::config::config().processes
        && let Some(thread) = try_current()
    {
        let left = thread.space.left.lock_in_line().take();
        drop(left);
    }
}
