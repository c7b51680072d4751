//! What a switch saves of the application beyond the kernel's own registers: thread pointer and vector registers.
//!
//! A system call of Linux keeps every register but three, so a thread that waits in one gets its vector registers
//! back too. They stay live while the kernel idles: a thread that is woken where it fell asleep loads nothing.
//!
//! Unsafe: the areas belong to the thread that runs, and the last owner of a thread that has ended is here.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

use super::{Thread, kernel_stack::Line};

/// Saves those of `this`, which runs here and is about to be left.
pub(super) fn store(this: &Thread) {
    if this.registers.exist() {
        // SAFETY: this thread's own.
        unsafe { this.registers.store_vectors() };
        this.registers.thread_pointer.store(contracts::processor::thread_pointer(), Ordering::Relaxed);
    }
}

/// Loads those of `next`, which is about to run here.
pub(super) fn load(next: &Thread) {
    if !next.registers.exist() {
        return;
    }
    let _ = contracts::processor::set_thread_pointer(next.registers.thread_pointer.load(Ordering::Relaxed));
    // SAFETY: `next` runs nowhere else.
    unsafe { next.registers.load_vectors() };
}

/// Remembers a thread in `place`.
pub(super) fn keep(place: &AtomicPtr<Thread>, thread: &'static Thread) {
    place.store(ptr::from_ref(thread).cast_mut(), Ordering::Relaxed);
}

/// Takes the thread that `place` remembers.
pub(super) fn take(place: &AtomicPtr<Thread>) -> Option<&'static Thread> {
    // Only its own processor uses the place.
    // SAFETY: `keep` put it there.
    let thread = unsafe { place.load(Ordering::Relaxed).as_ref() }?;
    place.store(ptr::null_mut(), Ordering::Relaxed);
    Some(thread)
}

/// The stack of the thread in `left` is nobody's now: another processor may enter it, and one that has ended goes.
#[inline]
pub(super) fn release(left: &AtomicPtr<Thread>) {
    if let Some(left) = take(left) {
        look_after(left);
    }
}

fn look_after(left: &Thread) {
    let ended = left.ended.load(Ordering::Relaxed);
    left.on_stack.store(false, Ordering::Release);
    if ended {
        // SAFETY: it has ended, and this processor was the last on its stack.
        unsafe { left.let_go() };
    }
}

/// Makes room for the running thread's registers, which had none as long as it was alone.
pub(super) fn make_room() {
    // SAFETY: the calling thread's own.
    unsafe { super::current().registers.give_room(Vec::new()) };
}

/// Gives the registers of `thread` this room (new one if it is empty), in which those of the calling thread are copied.
#[inline]
pub(super) fn inherit(thread: &Thread, room: Vec<Line>, thread_pointer: usize) {
    // SAFETY: those of a thread that does not run yet.
    unsafe {
        thread.registers.give_room(room);
        thread.registers.store_vectors();
    }
    thread.registers.thread_pointer.store(thread_pointer, Ordering::Relaxed);
}
