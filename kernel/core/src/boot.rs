//! The kernel's table of contents: who is called when, from power-on to the program.
//!
//! 1. *Platform.* `platforms/<name>` reaches long mode (or starts as a Linux process), finds memory, the boot archive,
//!    a clock and a console, and calls the slot `kernel`: [`Core::main`]. Its contracts work from here on.
//! 2. *Core*, below: nothing to initialise. The heap takes its first pages at its first allocation, the timer queue
//!    is empty, and there is no thread yet.
//! 3. *Application*: the slot `application` reads the launch record, makes the first address space and thread
//!    ([`crate::task::start_first`]), loads the program, and enters it by `contracts::processor::enter`.
//!
//! Afterwards the platform comes back here for each system call, trap, page fault and interruption.

use machine::{Access, BootInfo, Context, Kernel, Trap};

use crate::task;

/// The kernel core as platforms see it.
#[derive(Debug, Default)]
pub struct Core;

impl Core {
    /// The instance, for `contracts::provide_kernel!`.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Kernel for Core {
    fn main(&self, boot: BootInfo) -> ! {
        sync::alone();
        contracts::application::start(boot)
    }

    fn join(&self, stack_top: usize) -> ! {
        task::join(stack_top)
    }

    #[inline(always)]
    fn system_call(&self, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize {
        contracts::application::system_call(a, b, c, d, e, f, number)
    }

    fn trapped(&self, context: &mut Context) {
        if contracts::config().rewrite
            && let Some(thread) = task::try_current()
        {
            thread.space().trapped(context);
        }
    }

    fn called(&self, context: &mut Context) {
        if contracts::config().rewrite
            && let Some(thread) = task::try_current()
        {
            thread.space().called(context);
        }
    }

    fn trap(&self, context: &mut Context, trap: Trap) {
        let mut is_ours = || task::try_current().is_some_and(|thread| thread.space().is_ours(context, &trap));
        if contracts::config().rewrite && is_ours() {
            return;
        }
        contracts::application::trap(context, trap);
        contracts::application::resuming(context);
    }

    fn interrupted(&self, context: &mut Context) {
        task::work();
        task::preempt();
        self.resuming(context);
    }

    fn resuming(&self, context: &mut Context) {
        task::preempt_if_told();
        task::let_go_of_left();
        if contracts::config().rewrite
            && let Some(thread) = task::try_current()
        {
            thread.space().show_program(context);
        }
        contracts::application::resuming(context);
    }

    fn resolve_fault(&self, address: usize, access: Access) -> bool {
        let resolved = task::try_current().is_some_and(|thread| thread.space().resolve(address, access));
        if resolved {
            contracts::application::page_resolved(address, access);
        }
        resolved
    }
}
