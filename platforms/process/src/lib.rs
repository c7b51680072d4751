//! The platform that is a Linux process: the same kernel, with the host's kernel as its machine.
//!
//! The image is a static position-independent program without libc. The host loads it high, so that programs find the
//! addresses free that they ask for. What hardware does elsewhere, the host does here:
//!
//! | machine | host |
//! |---|---|
//! | `syscall` instruction | Syscall User Dispatch turns each into a SIGSYS ([`signals`]) |
//! | fault | SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP ([`signals`]) |
//! | interrupt | a signal of the command, the alarm's, or another processor's ([`signals`], [`clock`]) |
//! | processor | a thread ([`others`]) |
//! | interrupts off | nothing: a signal in kernel code only marks work as pending ([`entry`]) |
//! | `hlt` | `ppoll` ([`processor`]) |
//! | page tables | mmap and its relatives ([`pager`]) |
//!
//! A signal handler only moves the interrupted registers to the top of the thread's kernel stack and returns into the
//! kernel's entry there. So kernel code never runs on the signal stack, and there is one way in and one way out.
//!
//! Read [`start`] first. Descriptors, by agreement with the command: 0 to 2 are the program's streams, 3 is the boot
//! archive, 4 is the socket for records and the exit.
#![cfg_attr(not(test), no_std)]
// Speaking to a machine is what a platform is for.
#![allow(unsafe_code)]

extern crate alloc;

mod arena;
mod audit;
mod auxiliary;
mod bare;
mod block;
mod clock;
mod console;
mod control;
mod disks;
mod entropy;
mod entry;
mod file_pages;
mod hidden;
mod host;
mod last;
mod layout;
mod mappings;
mod others;
mod pager;
mod panic;
mod power;
mod processor;
mod seccomp;
mod shares;
mod signals;
mod stacks;
mod stages;
mod start;
mod user_memory;
mod vdso;

pub use bare::{Alone, Deadline, Exit, HostArguments, Plain, PortConsole};
pub use clock::{Alarm, Clock};
pub use console::Console;
pub use disks::HostDisks;
pub use entropy::Entropy;
pub use pager::Pager;
pub use panic::panic;
pub use power::Power;
pub use processor::Processor;
pub use shares::HostFiles;
pub use start::Boot;
pub use user_memory::UserMemory;

/// The parts of the machine that a boot may make ready, for [`Boot`].
pub mod stage {
    pub use crate::stages::{Isolation, Memory, Traps};
}
