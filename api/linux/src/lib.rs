//! The Linux door: runs unmodified Linux programs by answering their system calls.
//!
//! [`Linux`] fills the slot `application`. Three floors: [`mod@entry`] is the way in and out, [`mod@calls`] has a
//! handler for each system call, by family, and [`mod@objects`] is what they work on. Each names only those below it.
//! Reading order: [`mod@entry::launch`] makes the process from the launch record, [`mod@entry::dispatch`] takes each
//! system call to its handler. The table of system calls is in the element `linux-abi`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod calls;
mod entry;
mod objects;
#[cfg(test)]
mod tests;

#[doc(hidden)]
pub use entry::dispatch::{handler, unknown};
#[doc(hidden)]
pub use linux_abi;
pub use linux_abi::Errno;
#[doc(hidden)]
pub use objects::ability::number;
pub use objects::call::Result;
pub use objects::process::{LinuxThread, Process, current, process};

use objects::{
    process::{program, space},
    trace,
};

use contracts::application::Application;
use machine::{Access, BootInfo, Context, Trap};

/// The Linux layer, for `contracts::provide_application!`.
#[derive(Debug, Default)]
pub struct Linux;

impl Linux {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Application for Linux {
    fn start(&self, boot: BootInfo) -> ! {
        entry::launch::start(boot)
    }

    #[inline(always)]
    fn system_call(&self, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize {
        entry::dispatch::system_call(a, b, c, d, e, f, number)
    }

    fn trap(&self, context: &mut Context, trap: Trap) {
        entry::fault::trap(context, trap);
    }

    #[inline(always)]
    fn page_resolved(&self, address: usize, access: Access) {
        if trace::faults() {
            trace::page(address, access);
        }
    }

    fn resuming(&self, context: &mut Context) {
        entry::deliver::resuming(context);
    }

    fn work(&self) {
        entry::interrupt::work();
    }

    fn out_of_memory(&self) -> bool {
        objects::end::out_of_memory()
    }
}
