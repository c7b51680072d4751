//! The processor: the host thread we run on.

use core::{
    arch::asm,
    fmt,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use architecture::x86_64::{CODE_SEGMENT, STACK_SEGMENT};
use machine::{CONTEXT_ROOM, CallEntries, Context, Fault, Handler, ThreadHandle, ThreadResources};
use x86_64::{cpuid_cache, describe, features, instructions, vector};

use super::start;
use crate::{
    devices::console,
    entry,
    host::{frame, process, signal, thread},
    layout,
    memory::code,
    per_cpu::{self, BOOT, smp},
};

/// The machine's [`machine::Processor`].
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
        per_cpu::current().thread.load(Relaxed)
    }

    #[inline(always)]
    fn resources(&self) -> ThreadResources {
        let block = per_cpu::current();
        ThreadResources { key: block.key.load(Relaxed), block: block.resources.load(Relaxed) }
    }

    fn set_thread(&self, thread: ThreadHandle, resources: ThreadResources, kernel_stack_top: usize) {
        let block = per_cpu::current();
        block.thread.store(thread, Relaxed);
        block.key.store(resources.key, Relaxed);
        block.resources.store(resources.block, Relaxed);
        block.context.store(kernel_stack_top - CONTEXT_ROOM, Relaxed);
        console::hand_over();
    }

    fn boot_stack_top(&self) -> usize {
        BOOT.stack_top()
    }

    #[inline(always)]
    fn number(&self) -> usize {
        per_cpu::current().number.load(Relaxed)
    }

    fn count(&self) -> usize {
        smp::count()
    }

    fn start_others(&self) {
        start::start();
    }

    fn notify(&self, number: usize) {
        smp::notify(number);
    }

    // One processor has entered the kernel, which is a barrier.
    fn synchronize(&self) {
        if smp::run() {
            thread::synchronize();
        }
    }

    fn enter(&self, context: &Context) -> ! {
        self.lay(per_cpu::current().context.load(Relaxed) + CONTEXT_ROOM, context);
        entry::leave()
    }

    fn lay(&self, stack_top: usize, context: &Context) {
        let laid = Context {
            cs: u64::from(CODE_SEGMENT),
            ss: u64::from(STACK_SEGMENT),
            rflags: context.rflags | frame::CLEAN_FLAGS,
            ..*context
        };
        let place = (stack_top - CONTEXT_ROOM) as *mut Context;
        // SAFETY: the top of a kernel stack is kept free for the program's registers.
        unsafe { place.write(laid) };
    }

    fn replaced(&self, stack_top: usize) {
        let place = (stack_top - CONTEXT_ROOM) as *mut Context;
        // SAFETY: as in `lay`; somebody has just put them there.
        let context = unsafe { &mut *place };
        (context.cs, context.ss) = (CODE_SEGMENT.into(), STACK_SEGMENT.into());
        context.rflags |= frame::CLEAN_FLAGS | entry::REPLACED;
    }

    fn enter_laid(&self) -> ! {
        entry::leave()
    }

    fn idle(&self) {
        let block = per_cpu::current();
        // With signals blocked, none can come between the question and the wait.
        let _blocked = signal::Blocked::new();
        if !block.take_pending() {
            smp::idle(true);
            console::wait();
            smp::idle(false);
            block.take_pending();
        }
    }

    // One copy: system calls that fail would have one each.
    #[inline(never)]
    fn mark_pending(&self) {
        per_cpu::current().pending.store(true, Relaxed);
    }

    fn answer_by(&self, handlers: &'static [Handler], _: &[usize]) {
        entry::answer_by(handlers);
    }

    fn call_entries(&self, counted: bool) -> Option<CallEntries> {
        let any = entry::call(counted);
        let cpuid = Some((entry::cpuid_entry(), cpuid_cache::ticks())).filter(|(_, ticks)| *ticks >= cpuid_cache::SLOW);
        code::is_open().then_some(CallEntries { any, brief: any, open: any, masked: false, cpuid })
    }

    #[inline(always)]
    fn answers_cpuid(&self) -> bool {
        true
    }

    fn thread_pointer(&self) -> usize {
        if !per_cpu::current().has_base_instructions.load(Relaxed) {
            return process::fs_base();
        }
        let address;
        // SAFETY: reads a register.
        unsafe { asm!("rdfsbase {}", out(reg) address, options(nomem, nostack, preserves_flags)) };
        address
    }

    fn set_thread_pointer(&self, address: usize) -> bool {
        // As Linux: canonical addresses of programs only.
        if address >= 1 << 47 {
            return false;
        }
        if per_cpu::current().has_base_instructions.load(Relaxed) {
            instructions::set_fs_base(address as u64);
            return true;
        }
        process::set_fs_base(address).is_ok()
    }

    fn save_extended(&self, address: usize) -> Result<(), Fault> {
        vector::save(&layout::user_range(), address)
    }

    fn restore_extended(&self, address: usize) -> Result<(), Fault> {
        vector::restore(&layout::user_range(), address)
    }

    fn hardware_capabilities(&self) -> [usize; 2] {
        // Asked for each program that begins, and the same for all processors.
        static KNOWN: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
        if KNOWN[0].load(Relaxed) == 0 {
            // GS base is ours: programs are not told that they could write it.
            let words = features::hardware_capabilities(false);
            words.into_iter().zip(&KNOWN).rev().for_each(|(word, place)| place.store(word, Relaxed));
        }
        [&KNOWN[0], &KNOWN[1]].map(|word| word.load(Relaxed))
    }

    fn describe(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        describe::describe(out, 0)
    }
}
