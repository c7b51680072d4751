//! The contract `processor`.

use core::{arch::asm, fmt};

use machine::{CONTEXT_ROOM, CallEntries, Context, Fault, Handler, ThreadHandle, ThreadResources};
use x86_64::{
    describe, features as processor_features, instructions,
    registers::{msr, write_msr},
    vector,
};

use super::{features as enabled, others};
use crate::{
    clock, entry, interrupts, layout, memory,
    per_cpu::{self, features, smp},
    user_memory::with_access,
};

/// Provider of the contract `processor`.
#[derive(Debug, Default)]
pub struct Processor;

impl Processor {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Processor for Processor {
    #[inline(always)]
    fn thread(&self) -> ThreadHandle {
        per_cpu::thread()
    }

    #[inline(always)]
    fn resources(&self) -> ThreadResources {
        per_cpu::resources()
    }

    fn set_thread(&self, thread: ThreadHandle, resources: ThreadResources, kernel_stack_top: usize) {
        per_cpu::set_thread(thread, resources, kernel_stack_top);
    }

    fn boot_stack_top(&self) -> usize {
        layout::boot_stack_top()
    }

    #[inline(always)]
    fn number(&self) -> usize {
        per_cpu::number()
    }

    fn count(&self) -> usize {
        others::count()
    }

    fn start_others(&self) {
        others::start();
    }

    fn notify(&self, number: usize) {
        smp::notify(number);
    }

    fn synchronize(&self) {
        memory::synchronize();
    }

    fn enter(&self, context: &Context) -> ! {
        enter(context)
    }

    #[inline(always)]
    fn lay(&self, stack_top: usize, context: &Context) {
        let place = (stack_top - CONTEXT_ROOM) as *mut Context;
        // SAFETY: the top of a kernel stack is kept free for the application's registers.
        unsafe { place.write(*context) };
    }

    #[inline(always)]
    fn replaced(&self, stack_top: usize) {
        let place = (stack_top - CONTEXT_ROOM) as *mut Context;
        // SAFETY: as in `lay`; somebody has just put them there.
        unsafe { (*place).rflags |= entry::REPLACED };
    }

    fn enter_laid(&self) -> ! {
        interrupts::application_starts();
        entry::enter_laid()
    }

    fn idle(&self) {
        idle();
    }

    fn mark_pending(&self) {
        per_cpu::mark_own_pending();
    }

    fn call_entries(&self, counted: bool) -> Option<CallEntries> {
        enabled::tell_system_calls();
        // A program at ring 3 has nothing to call.
        (features::ring() == 0).then(|| entry::call_entries(counted))
    }

    fn answer_by(&self, handlers: &'static [Handler], looking: &[usize]) {
        entry::answer_by(handlers, looking);
    }

    fn thread_pointer(&self) -> usize {
        features::thread_pointer()
    }

    fn set_thread_pointer(&self, address: usize) -> bool {
        if address >= layout::USER.end {
            return false;
        }
        if features::has_fs_base() {
            instructions::set_fs_base(address as u64);
        } else {
            // SAFETY: the register exists, the address is canonical, and the kernel does not use FS.
            unsafe { write_msr(msr::FS_BASE, address as u64) };
        }
        true
    }

    fn save_extended(&self, address: usize) -> Result<(), Fault> {
        with_access(|| vector::save(&layout::USER, address))
    }

    fn restore_extended(&self, address: usize) -> Result<(), Fault> {
        with_access(|| vector::restore(&layout::USER, address))
    }

    fn hardware_capabilities(&self) -> [usize; 2] {
        // At ring 0 a program that sets GS base takes the kernel's: it is not told that it could.
        processor_features::hardware_capabilities(features::has_fs_base() && features::ring() == 3)
    }

    fn describe(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        describe::describe(out, clock::kilohertz())
    }
}

/// See [`machine::Processor::enter`].
pub fn enter(context: &Context) -> ! {
    interrupts::application_starts();
    entry::enter(context)
}

/// See [`machine::Processor::idle`].
pub fn idle() {
    if per_cpu::take_pending().is_some() {
        return;
    }
    // Not every interrupt is work: another processor may have wanted something, or the watch found nobody.
    while per_cpu::take_pending().is_none() {
        // SAFETY: handlers leave the kernel's state alone but for the pending mark. `sti` holds interrupts off until
        // `hlt` has begun, so none that comes in between is slept through.
        unsafe { asm!("sti", "hlt", "cli", options(nostack)) };
    }
    interrupts::idle_ends();
}
