//! The kernel as a platform sees it: nine calls.

use launch::Launch;

use crate::{Access, Context, Trap};

/// What a platform found before it calls [`Kernel::main`].
#[derive(Clone, Copy, Debug)]
pub struct BootInfo {
    /// The boot archive (a cpio archive, see the element `archive`): page-aligned, readable for ever.
    /// Empty if there is none.
    pub archive: &'static [u8],
    /// The launch record in it; without fields if there is none.
    pub launch: &'static Launch<'static>,
    /// The kernel command line, if the machine has one.
    pub command_line: &'static str,
    /// [`machine::Processor::cycles`] at the kernel's first instruction.
    pub entry_cycles: u64,
}

declaration::contract! {
    kernel = "what platforms call: main, system calls, traps, interruptions, page faults";

    /// What a platform calls. All of it runs on the current thread's kernel stack with interrupts off.
    pub trait Kernel: Sync {
        /// Takes over the machine. The platform's contracts all work now.
        fn main(&self, boot: BootInfo) -> !;

        /// Another processor than the one that booted works now, on a kernel stack of its own whose top is `stack_top`:
        /// see [`machine::Processor::start_others`].
        fn join(&self, stack_top: usize) -> !;

        /// The application executed a system call of this number, with the words `a` to `f` as its arguments: in the
        /// order of a function's, so that they stay in their registers. The answer is for the result register, where
        /// the platform puts it. All registers lie in the room for them at the top of the kernel stack
        /// ([`machine::CONTEXT_ROOM`]), and may be changed there. This is the hot path: the platform calls
        /// [`Kernel::interrupted`] itself if work is pending afterwards.
        #[expect(clippy::too_many_arguments, reason = "six words and the number, each in its register")]
        #[inline(always)]
        fn system_call(&self, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize;

        /// The instruction `syscall` brought the application here, and [`Kernel::system_call`] will follow. Platforms
        /// say so where [`machine::Processor::call_entries`] is a cheaper way: what has trapped often is rewritten.
        fn trapped(&self, context: &mut Context) {
            let _ = context;
        }

        /// The application came by [`machine::Processor::call_entries`], where that is counted, and
        /// [`Kernel::system_call`] will follow.
        fn called(&self, context: &mut Context) {
            let _ = context;
        }

        /// The application did something the processor refuses.
        fn trap(&self, context: &mut Context, trap: Trap);

        /// Work is pending and the application is about to run (again): alarms, devices, signals. May change `context`.
        fn interrupted(&self, context: &mut Context);

        /// As [`Kernel::interrupted`], for a platform that knows that nothing came from outside: the kernel itself has
        /// asked for it on this processor, by [`machine::Processor::mark_pending`].
        fn resuming(&self, context: &mut Context) {
            self.interrupted(context);
        }

        /// A page of the application was touched that is not present, by the application or by a copy of
        /// [`machine::UserMemory`]. `true` if it is there now.
        fn resolve_fault(&self, address: usize, access: Access) -> bool;
    }
}
