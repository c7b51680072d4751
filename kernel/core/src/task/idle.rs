//! When nobody is ready.
//!
//! A thread that waits idles on its own stack: nothing is switched, and if it is the next one to run, it just goes on.
//! A thread that has ended cannot, nor one that another processor took over meanwhile; so each processor has an idle
//! thread for that, made when it is first needed.

use core::sync::atomic::Ordering;

use sched::Leaving;

use super::{
    Resources, Thread, current,
    look::look_unless_told,
    park, registers,
    schedule::{self, local},
    spawn,
    thread::set_current,
};
use crate::processor::alone;

/// Idles in place of `this` until somebody is ready, and goes on with that one.
pub(super) fn instead_of(this: &Thread, how: Leaving) {
    if alone() {
        // Nobody else enters this stack, not even when its thread has ended.
        loop {
            if let Some(next) = wait_for_work() {
                return schedule::go_on_with(this, next);
            }
        }
    }
    if how == Leaving::Ended {
        return schedule::go_on_with(this, thread());
    }
    // It may have been woken, or moved elsewhere, before it came here: nobody says so again.
    while park::sleeps(this) {
        if let Some(next) = wait_for_work() {
            return schedule::go_on_with(this, next);
        }
    }
    // It is here, or another processor waits for its stack.
    schedule::go_on_with(this, schedule::next(None).unwrap_or_else(thread));
}

/// Waits for an interrupt. Then somebody may be ready on this processor.
fn wait_for_work() -> Option<&'static Thread> {
    let form = current().form;
    // What came may have woken nobody, and be but a part: no interruption tells of the rest. Between two parts of what
    // does not end, all else that came is taken in.
    let mut goes_on = false;
    while look_unless_told() {
        let next = schedule::next(None).or_else(|| if goes_on { after(form.take_in) } else { None });
        if next.is_some() {
            return next;
        }
        goes_on = true;
    }
    (form.idle)();
    after(form.take_in)
}

/// Takes in what came; the next one who is ready then.
fn after(take_in: fn()) -> Option<&'static Thread> {
    take_in();
    schedule::next(None)
}

/// Goes on with `next` by way of the idle thread, which waits until that stack is nobody's.
pub(super) fn on_the_way_to(this: &Thread, next: &'static Thread) {
    registers::keep(&local().first, next);
    schedule::switch(this, thread());
}

/// This processor's idle thread.
fn thread() -> &'static Thread {
    local().idle.call_once(|| {
        let top = loop {
            match contracts::kernel_memory::allocate_stack() {
                Ok(top) => break top,
                Err(_) => contracts::application::out_of_memory(),
            };
        };
        Thread::leak(spawn::kernel_thread(top, idle, Resources::none()))
    })
}

/// Another processor has started, on a stack with this top: its first thread is the one that idles.
pub(crate) fn join(stack_top: usize) -> ! {
    let thread = Thread::leak(spawn::boot_thread(stack_top));
    thread.on_stack.store(true, Ordering::Relaxed);
    set_current(thread);
    local().idle.call_once(|| thread);
    while contracts::processor::number() >= spawn::processors() {
        // The image's scheduler serves fewer.
        contracts::processor::idle();
    }
    idle()
}

/// What it does.
fn idle() -> ! {
    loop {
        let next = registers::take(&local().first).or_else(|| schedule::next(None)).or_else(wait_for_work);
        if let Some(next) = next {
            // Another processor may still be on its way out of that stack.
            while next.on_stack.swap(true, Ordering::Acquire) {
                sync::relax();
            }
            schedule::switch(current(), next);
        }
    }
}
