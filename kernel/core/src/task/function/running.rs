//! From a function to a running thread, and from its end to its result.

use core::{alloc::Layout, fmt, marker::PhantomData, mem::ManuallyDrop, sync::atomic::Ordering::Relaxed};

use sched::{Arrival, Leaving};

use super::{
    Handle, NoRoom, Options, pool,
    slot::{self, Slot},
};
use crate::{
    processor::alone,
    task::{self, park, schedule},
};

/// What lies at the top of a stack: first what the function captures, then its result.
union Place<F, T> {
    _body: ManuallyDrop<F>,
    _result: ManuallyDrop<T>,
}

/// A thread whose result is a `T`.
pub struct Running<T> {
    handle: Handle,
    result: PhantomData<T>,
}

// SAFETY: the result may go to any thread, and there is one way to take it.
unsafe impl<T: Send> Send for Running<T> {}
// SAFETY: nothing of the result can be reached by a shared reference.
unsafe impl<T> Sync for Running<T> {}

/// Has `body` run in a thread of its own.
///
/// # Errors
/// [`NoRoom`]: the heap has no memory for it.
pub fn spawn<F, T>(options: Options, body: F) -> Result<Running<T>, NoRoom>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    // SAFETY: what is captured and returned lives for ever if need be.
    unsafe { spawn_unchecked(options, body) }
}

/// As [`spawn`], for what may not live for ever.
///
/// # Safety
/// What `body` captures and returns lives until the thread has finished and its result was taken or dropped.
#[inline(always)]
pub(super) unsafe fn spawn_unchecked<F: FnOnce() -> T, T>(mut options: Options, body: F) -> Result<Running<T>, NoRoom> {
    assert!(alone(), "threads of a native program need an image for one processor: `processors = 1`");
    let layout = Layout::new::<Place<F, T>>();
    let slot = pool::take(&mut options, layout.size() + layout.align())?;
    let place = (slot.top() - layout.size()) & !(layout.align().max(16) - 1);
    slot.place.set(place as *mut u8);
    // SAFETY: room at the top of a stack that nobody runs on, aligned for it.
    unsafe { (place as *mut F).write(body) };
    slot.body.set(run::<F, T>);
    slot.begin_again(begin);
    schedule::arrive(slot.thread(), Arrival::New);
    Ok(Running { handle: Handle::first(slot), result: PhantomData })
}

/// # Safety
/// `place` holds an `F`, and has room for a `T`.
unsafe fn run<F: FnOnce() -> T, T>(place: *mut u8) {
    // SAFETY: the caller's promise; the function is moved out before the result is moved in.
    unsafe {
        let body = place.cast::<F>().read();
        place.cast::<T>().write(body());
    }
}

/// # Safety
/// `place` holds a `T`, which nobody uses any more.
unsafe fn drop_result<T>(place: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { place.cast::<T>().drop_in_place() };
}

/// What a thread does. All of it is in this one function, and what it calls returns before it leaves: who goes on finds
/// the processor's record of calls as it was.
extern "C" fn begin() -> ! {
    schedule::arrived();
    let slot = slot::running();
    // SAFETY: `spawn_unchecked` put into the place what this takes.
    unsafe { (slot.body.get())(slot.place.get()) };
    end(slot)
}

#[inline(always)]
fn end(slot: &'static Slot) -> ! {
    if let Some(drop_result) = slot.drop_result.take() {
        // SAFETY: the function has left its result, and nobody can take it any more.
        unsafe { drop_result(slot.place.get()) };
    }
    slot.locals.end();
    slot.finished.set(true);
    if let Some(scope) = slot.scope.take() {
        // SAFETY: the scope waits for its threads.
        unsafe { (*scope).leave() };
    }
    if let Some(joiner) = slot.joiner.take() {
        park::give_permit(joiner);
    }
    if pool::leave(slot) {
        slot.thread().ended.store(true, Relaxed);
    }
    schedule::leave(Leaving::Ended);
    unreachable!("a thread that has ended runs no more")
}

/// Waits until a thread has finished.
#[inline(never)]
fn wait_for(slot: &'static Slot) {
    while !slot.finished.get() {
        let this = task::current();
        assert!(!core::ptr::eq(this, slot.thread()), "a thread cannot join itself");
        slot.joiner.set(Some(this));
        park::take_permit();
    }
}

impl<T> Running<T> {
    /// The thread.
    #[must_use]
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Whether its function has returned.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.handle.slot().finished.get()
    }

    /// Waits for the end of the function: its result. Panics in the thread itself, which would wait for ever.
    #[inline]
    pub fn join(self) -> T {
        let slot = self.handle.slot();
        if !slot.finished.get() {
            wait_for(slot);
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: the function has left its result, and nobody else takes it: `self` is gone, without being dropped.
        unsafe {
            let result = slot.place.get().cast::<T>().read();
            drop(core::ptr::read(&raw const this.handle));
            result
        }
    }
}

impl<T> Drop for Running<T> {
    /// Nobody wants the result any more.
    fn drop(&mut self) {
        let slot = self.handle.slot();
        if core::mem::needs_drop::<T>() {
            match slot.finished.get() {
                // SAFETY: the function has left its result, and this was the one way to it.
                true => unsafe { drop_result::<T>(slot.place.get()) },
                false => slot.drop_result.set(Some(drop_result::<T>)),
            }
        }
    }
}

impl<T> fmt::Debug for Running<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Running").field("handle", &self.handle).finish_non_exhaustive()
    }
}
