//! What a process and a thread of Linux are made of, reached through the running thread and never through globals.

pub mod apart;
pub mod kin;
pub mod limits;
pub mod program;
pub mod shared;
pub mod strings;
pub mod table;
pub mod thread;
pub mod threads;
pub mod wish;

pub use program::Program;
pub use shared::Process;
pub use strings::Strings;
pub use thread::LinuxThread;
pub use threads::{Threads, linux};
pub use wish::Wish;

use alloc::sync::Arc;

use identity::{Capability, Identity};
use kernel::memory::AddressSpace;
use signal_state::{ProcessSignals, ThreadSignals};
use sync::MutexGuard;

use crate::objects::{descriptors::table::Table, tree::Location};

/// What opens the resources of a thread that runs a Linux program.
pub static KEY: kernel::task::Key<LinuxThread> = kernel::task::Key::new();

/// The running thread, found in line: for the handlers that do little else.
#[must_use]
#[inline(always)]
pub fn current_in_line() -> &'static LinuxThread {
    kernel::task::current_resources(&KEY)
}

/// The running thread.
#[must_use]
#[inline(never)]
pub fn current() -> &'static LinuxThread {
    current_in_line()
}

/// The running thread's process.
#[must_use]
#[inline(never)]
pub fn process() -> &'static Process {
    &current_in_line().process
}

/// As [`process`], for the few places where the call would cost more than what is asked.
#[must_use]
#[inline(always)]
pub fn process_in_line() -> &'static Process {
    &current_in_line().process
}

/// What the running process runs, as it is now.
#[must_use]
#[inline(never)]
pub fn program() -> Arc<Program> {
    process().program.lock().clone()
}

/// The running thread's address space.
#[must_use]
#[inline(never)]
pub fn space() -> &'static AddressSpace {
    kernel::task::space()
}

/// Changes what the running process runs.
#[inline(never)]
pub fn change_program(change: &mut dyn FnMut(&mut Program)) {
    change(Arc::make_mut(&mut process().program.lock()));
}

// Every family locks these; a function for each is a tenth of the lock in line.

/// The running thread's descriptors, which it shares with others as a rule, locked.
#[inline(never)]
pub fn descriptors() -> MutexGuard<'static, Table> {
    descriptors_in_line()
}

/// The same for the one function that most calls come through.
#[inline(always)]
pub fn descriptors_in_line() -> MutexGuard<'static, Table> {
    current_in_line().files.at().value().lock_in_line()
}

/// The running thread's place in the tree, which it shares with others as a rule, locked.
#[inline(never)]
pub fn location() -> MutexGuard<'static, Location> {
    location_in_line()
}

/// The same for the one function that most paths come through.
#[inline(always)]
pub fn location_in_line() -> MutexGuard<'static, Location> {
    current_in_line().location.at().value().lock_in_line()
}

/// The running process' users and groups, locked.
#[inline(never)]
pub fn identity() -> MutexGuard<'static, Identity> {
    identity_in_line()
}

/// The same for the one function that most paths come through.
#[inline(always)]
pub fn identity_in_line() -> MutexGuard<'static, Identity> {
    current_in_line().process.identity.lock_in_line()
}

/// Whether the running process may do what this capability is for.
#[inline(never)]
pub fn may(capability: Capability) -> bool {
    identity().may(capability)
}

/// The running process' signals, locked.
#[inline(never)]
pub fn process_signals() -> MutexGuard<'static, ProcessSignals> {
    current_in_line().process.signals.lock()
}

/// The running thread's signals, locked.
#[inline(never)]
pub fn thread_signals() -> MutexGuard<'static, ThreadSignals> {
    current_in_line().signals.lock()
}
