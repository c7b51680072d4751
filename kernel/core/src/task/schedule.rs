//! Which thread runs: leaving one, going on with the next, and idling when there is none.
//!
//! The policy is behind the slot `scheduler`; here is the mechanism. All of it runs in the kernel, with interrupts
//! off, on the stack of the thread that is left.
//!
//! A thread that is left is still on its stack for some instructions, while the scheduler may give it to another
//! processor already: [`Thread::on_stack`] tells, and who goes on with it waits for that. An image for one processor
//! knows that nobody else is there, and asks nothing.

use core::{
    ptr,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering},
};

use machine::MAX_PROCESSORS;
use sched::{Arrival, Leaving, Notice, Placed};
use sync::Once;

use super::{Thread, account, current, idle, park, registers, stack, thread::set_current, try_current};
use crate::{
    processor::{alone, here},
    timer,
};

/// What scheduling knows of each processor. Only its own processor uses it.
pub(super) struct Local {
    /// The thread that was left last, until the next one has looked after it.
    left: AtomicPtr<Thread>,
    /// Its idle thread, made when it is first needed.
    pub(super) idle: Once<&'static Thread>,
    /// What the idle thread goes on with first.
    pub(super) first: AtomicPtr<Thread>,
    /// Somebody better than the running thread became ready.
    wanted: AtomicBool,
    /// It takes in what came, and is about to [`preempt`] anyway.
    takes_in: AtomicBool,
    /// When the running thread's slice ends, in nanoseconds of the monotonic clock, or [`NEVER`].
    slice_end: AtomicU64,
}

/// No slice. Zero, so that these are only zeroed memory and no bytes of the image.
const NEVER: u64 = 0;

static LOCALS: [Local; MAX_PROCESSORS] = [const {
    Local {
        left: AtomicPtr::new(ptr::null_mut()),
        idle: Once::new(),
        first: AtomicPtr::new(ptr::null_mut()),
        wanted: AtomicBool::new(false),
        takes_in: AtomicBool::new(false),
        slice_end: AtomicU64::new(NEVER),
    }
}; MAX_PROCESSORS];

/// This processor's.
pub(super) fn local() -> &'static Local {
    &LOCALS[here() % MAX_PROCESSORS]
}

/// `thread`, which nobody runs and no queue holds, may run.
pub(super) fn arrive(thread: &Thread, arrival: Arrival) {
    let here = here() as u32;
    if alone() {
        return tell(contracts::scheduler::add(thread.entity(), arrival, here));
    }
    let before = thread.entity().processor();
    // Asked first: once it is placed, it may run elsewhere, and end.
    let is_idled_on = thread.on_stack.load(Ordering::SeqCst);
    let placed = contracts::scheduler::add(thread.entity(), arrival, here);
    tell(placed);
    // A processor that idles on this thread's stack must leave it for the one that it was given to.
    if is_idled_on && placed.processor != before && before != here {
        contracts::processor::notify(before as usize);
    }
}

/// The first thread of all runs already: tells the scheduler.
pub(super) fn begin_with(thread: &Thread) {
    // It is told as of any other; with nobody else there, this is the next one.
    arrive(thread, Arrival::New);
    next(None);
}

/// Tells a processor what the scheduler says.
pub(super) fn tell(placed: Placed) {
    let processor = placed.processor as usize;
    let is_here = processor == here();
    if placed.notice == Notice::Preempt {
        LOCALS[processor % MAX_PROCESSORS].wanted.store(true, Ordering::SeqCst);
    }
    match placed.notice {
        Notice::None => {}
        Notice::Look if is_here => watch_slice(),
        // Another mark would bring the interruption back that is being taken in: for ever, where each wakes somebody
        // who goes before the thread that was interrupted.
        _ if is_here && local().takes_in.load(Ordering::Relaxed) => {}
        _ if is_here => contracts::processor::mark_pending(),
        _ => contracts::processor::notify(processor),
    }
}

/// Has the alarm ring when the slice of the thread that runs here ends.
fn watch_slice() {
    // One that has ended at time 0, because somebody better waits, is none that never ends.
    let end = contracts::scheduler::slice_end(here() as u32).map(|end| end.max(NEVER + 1));
    local().slice_end.store(end.unwrap_or(NEVER), Ordering::Relaxed);
    if let Some(end) = end {
        timer::ring_by(end);
    }
}

/// When the running thread's slice ends, if it does.
pub(super) fn slice_end() -> Option<u64> {
    let end = local().slice_end.load(Ordering::Relaxed);
    (end != NEVER).then_some(end)
}

/// Has `take_in` wake whom it likes, before [`preempt`].
pub(super) fn taking_in(take_in: &mut dyn FnMut()) {
    let local = local();
    local.takes_in.store(true, Ordering::Relaxed);
    take_in();
    local.takes_in.store(false, Ordering::Relaxed);
}

/// Whether this processor takes in what came, on the stack of a thread that may be asleep.
pub(super) fn takes_in() -> bool {
    local().takes_in.load(Ordering::Relaxed)
}

/// The application is about to go on: has another thread run first if one should.
pub(crate) fn preempt() {
    let wanted = local().wanted.swap(false, Ordering::SeqCst);
    if wanted || slice_end().is_some_and(|end| end <= contracts::clock::monotonic()) {
        leave(Leaving::Preempted);
    } else {
        watch_slice();
    }
}

/// The same where nothing came from outside: who else is to run has said so, and a slice that never ends is as it was.
pub(crate) fn preempt_if_told() {
    let local = local();
    if local.wanted.load(Ordering::Relaxed) || local.slice_end.load(Ordering::Relaxed) != NEVER {
        preempt();
    }
}

/// Ends the waits of `thread`, and has it look for work (a signal) before its application goes on.
pub fn interrupt(thread: &Thread) {
    thread.set_interrupted(true);
    if try_current().is_some_and(|this| ptr::eq(this, thread)) {
        contracts::processor::mark_pending();
        // It idles on its own stack when an interruption brings the reason.
        if !park::sleeps(thread) {
            return;
        }
    }
    interrupt_sleeper(thread);
}

// Apart, so that who signals himself saves no registers for it.
#[inline(never)]
fn interrupt_sleeper(thread: &Thread) {
    park::unpark(thread);
    // If it runs elsewhere, that processor looks; if it does not run, it looks when it does (`arrived`).
    let processor = thread.entity().processor() as usize;
    if !alone() && thread.on_stack.load(Ordering::SeqCst) && processor != here() {
        contracts::processor::notify(processor);
    }
}

/// Lets others run, if others are ready.
#[inline]
pub fn yield_now() {
    if !alone() {
        // Where nobody waits, nobody is to be asked who comes next. With others, who may not stay here has to leave,
        // and threads may wait there.
        if sync::is_alone() && contracts::scheduler::waiting(here() as u32) == 0 {
            return;
        }
        return leave(Leaving::Yielded);
    }
    let this = current();
    let next = Thread::of(contracts::scheduler::turn(this.entity()));
    if !ptr::eq(this, next) {
        switch(this, next);
    }
}

/// This processor's next thread, if there is one, where the running one is left as `leaving` says.
pub(super) fn next(leaving: Option<(&Thread, Leaving)>) -> Option<&'static Thread> {
    let here = here() as u32;
    let next = contracts::scheduler::next(here, leaving.map(|(thread, how)| (thread.entity(), how)));
    let mut idle = next.wake;
    while idle != 0 {
        contracts::processor::notify(idle.trailing_zeros() as usize);
        idle &= idle - 1;
    }
    next.thread.map(Thread::of)
}

/// Leaves the running thread as `how` says. Comes back when it runs again, which is at once if nobody else is ready.
///
/// Where there is one processor little is left of it, and it belongs into its callers: a thread that ends with fewer
/// calls under way leaves fewer returns that the processor predicts wrongly.
#[inline(always)]
pub(super) fn leave(how: Leaving) {
    if alone() { leave_for_next(how) } else { leave_by_call(how) }
}

#[inline(never)]
fn leave_by_call(how: Leaving) {
    leave_for_next(how);
}

#[inline(always)]
fn leave_for_next(how: Leaving) {
    let this = current();
    let next = next(Some((this, how)));
    if how == Leaving::Blocked && !park::asleep(this) {
        arrive(this, Arrival::Woken);
    }
    match next {
        Some(next) if alone() => go_on_here(this, next),
        Some(next) => go_on_with(this, next),
        None => idle::instead_of(this, how),
    }
}

/// Goes on with `next`, on this processor.
pub(super) fn go_on_with(this: &Thread, next: &'static Thread) {
    go_on_here(this, next);
}

#[inline(always)]
fn go_on_here(this: &Thread, next: &'static Thread) {
    if ptr::eq(this, next) {
        watch_slice();
        return look_for_signals();
    }
    if !alone() && next.on_stack.swap(true, Ordering::Acquire) {
        // Another processor is still on its way out of that stack, and may be waiting for this one.
        return idle::on_the_way_to(this, next);
    }
    switch(this, next);
}

/// Leaves the stack of `this` for that of `next`, which is nobody's.
#[inline]
pub(super) fn switch(this: &Thread, next: &'static Thread) {
    watch_slice();
    account::switch(this, next);
    registers::store(this);
    set_current(next);
    next.enter_space();
    registers::load(next);
    if !alone() || this.ended.load(Ordering::Relaxed) {
        local().left.store(ptr::from_ref(this).cast_mut(), Ordering::Relaxed);
    }
    stack::switch(this, next);
    arrived();
}

/// The first thing on a stack that was entered: looks after the thread that was left.
#[inline]
pub(super) fn arrived() {
    registers::release(&local().left);
    look_for_signals();
}

/// A thread that was interrupted while it did not run passes by its signals before its application goes on. The mark
/// may be gone: a processor that idles takes it away.
fn look_for_signals() {
    if current().is_interrupted() {
        contracts::processor::mark_pending();
    }
}
