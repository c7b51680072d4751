//! The Linux door: runs unmodified Linux programs by answering their system calls.
//!
//! [`Linux`] fills the slot `application`. Reading order: [`mod@start`] makes the process from the launch record,
//! [`mod@dispatch`] takes each system call to its handler, `<family>/<name>.rs`, and [`mod@signal`] interrupts the
//! program. The table of system calls is in the element `linux-abi`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod able;
mod call;
mod dispatch;
mod end;
mod interrupt;
mod lacking;
mod proc;
mod start;
mod state;
mod text;
mod trace;
pub mod user;

// The families: one folder each, one file a system call.
mod identity;
mod interprocess;
mod memory;
mod process;
pub mod signal;
mod system;
mod time;

// The families about files, and the descriptor table.
mod asynchronous;
mod attribute;
mod descriptor;
mod directory;
mod file;
mod files;
mod queue;
mod socket;
mod watch;

pub use call::{Call, Result};
#[doc(hidden)]
pub use dispatch::{handler, number, unknown};
#[doc(hidden)]
pub use linux_abi;
pub use linux_abi::Errno;
pub use state::{LinuxThread, Process, current, process};

use state::{program, space};

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
        start::start(boot)
    }

    #[inline(always)]
    fn system_call(&self, context: &mut Context) -> isize {
        dispatch::system_call(context)
    }

    fn trap(&self, context: &mut Context, trap: Trap) {
        signal::fault::trap(context, trap);
    }

    #[inline(always)]
    fn page_resolved(&self, address: usize, access: Access) {
        if trace::faults() {
            trace::page(address, access);
        }
    }

    fn resuming(&self, context: &mut Context) {
        signal::deliver::resuming(context);
    }

    fn work(&self) {
        interrupt::work();
    }

    fn out_of_memory(&self) -> ! {
        end::out_of_memory()
    }
}
