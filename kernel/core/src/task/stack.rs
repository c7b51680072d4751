//! Leaving one kernel stack for another.

#![allow(unsafe_code)] // another stack is another function's frames

use core::sync::atomic::Ordering;

use machine::CONTEXT_ROOM;

use super::Thread;

/// Leaves this thread's stack and goes on with `next`'s, which was ready and so runs nowhere. Comes back when somebody
/// enters this one again, on whatever processor that is.
#[inline(always)]
pub(super) fn switch(this: &Thread, next: &'static Thread) {
    let entering = next.stack_pointer.load(Ordering::Relaxed);
    // SAFETY: it was noted when that thread left or laid when it was made, and the scheduler gives a thread to one
    // processor.
    unsafe { instruction_set::switch::switch(&this.stack_pointer, entering) };
}

/// Where the new stack below `top` is entered: `first` finds it empty, below the room for an application's registers.
pub(super) fn first_frame(top: usize, first: extern "C" fn() -> !) -> usize {
    // SAFETY: nobody uses a stack yet that is new, or that waited to be used again.
    unsafe { instruction_set::switch::first_frame(top - CONTEXT_ROOM, first) }
}
