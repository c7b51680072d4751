//! The platform that is a Linux process: the same kernel, with the host's kernel as its machine.
//!
//! The image is a static position-independent program without libc. The host loads it high, so that programs find the
//! addresses free that they ask for. What hardware does elsewhere, the host does here:
//!
//! | machine | host |
//! |---|---|
//! | `syscall` instruction | Syscall User Dispatch turns each into a SIGSYS ([`entry`]) |
//! | fault | SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP ([`entry`]) |
//! | interrupt | a signal of the command, the alarm's, or another processor's ([`entry`], [`clock`]) |
//! | processor | a thread ([`per_cpu`]) |
//! | interrupts off | nothing: a signal in kernel code only marks work as pending ([`entry`]) |
//! | `hlt` | `ppoll` ([`processor`]) |
//! | page tables | mmap and its relatives ([`memory`]) |
//! | further address space | a process that is a copy of this one ([`memory`]) |
//!
//! A signal handler only moves the interrupted registers to the top of the thread's kernel stack and returns into the
//! kernel's entry there. So kernel code never runs on the signal stack, and there is one way in and one way out.
//!
//! Read [`boot`] first. Descriptors, by agreement with the command: 0 to 2 are the program's streams, 3 is the boot
//! archive, 4 is the socket for records and the exit.
#![cfg_attr(not(test), no_std)]
// Speaking to a machine is what a platform is for.
#![allow(unsafe_code)]

extern crate alloc;

mod bare;
mod boot;
mod clock;
mod devices;
mod entropy;
mod entry;
mod host;
mod layout;
mod memory;
mod panics;
mod per_cpu;
mod power;
mod processor;
mod user_memory;
mod vdso;
mod watcher;

pub use bare::{Alone, Deadline, Exit, HostArguments, Plain, PortConsole};
pub use boot::Boot;
pub use clock::{Alarm, Clock};
pub use devices::{Console, HostDisks, HostFiles, HostNics, HostSockets};
pub use entropy::Entropy;
pub use memory::{KernelMemory, MemoryReport, Translations};
pub use panics::panic;
pub use power::Power;
pub use processor::Processor;
pub use user_memory::UserMemory;

/// The parts of the machine that a boot may make ready, for [`Boot`].
pub mod stage {
    pub use crate::boot::{Isolation, Memory, Traps};
}

// Host tests ask for settings too.
#[cfg(test)]
contracts::provide_config!(Config::DEFAULT);
