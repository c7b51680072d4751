//! Threads in several address spaces of one kernel, at the same addresses: nobody may see what is another space's.
//!
//! It fills the slot `application` and so takes the place of the Linux layer. Its programs are a page of instructions
//! (`programs`), which a file shows in each space.
#![no_std]

extern crate alloc;

mod file;
mod kernel_threads;
mod programs;
mod round;

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use contracts::application::Application;
use kernel::{
    memory::{AddressSpace, SystemCalls, set_system_calls},
    task::{self, Key},
};
use launch::{
    Key::{Argument, Calls},
    Launch,
};
use machine::{Access, BootInfo, Context, ExitReason, Stream, Trap};

/// The application.
#[derive(Debug, Default)]
pub struct TwoSpaces;

impl TwoSpaces {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// What a thread knows of itself: the number that it writes.
pub static KEY: Key<usize> = Key::new();

/// Checks that have passed.
static PASSED: AtomicUsize = AtomicUsize::new(0);

/// Ends the machine unless `holds`.
#[track_caller]
pub fn check(holds: bool, what: &str) {
    if !holds {
        fail(what);
    }
    PASSED.fetch_add(1, SeqCst);
}

/// Ends the machine.
#[track_caller]
pub fn fail(what: &str) -> ! {
    let line = alloc::format!("two-spaces: {}: {what}\n", core::panic::Location::caller().line());
    let _ = contracts::console::write(Stream::Error, line.as_bytes());
    contracts::power::exit(ExitReason::Exited(1))
}

/// Status of a machine that a program of a second space ends.
const ENDED_BY_SECOND: u8 = 7;

/// Whether the first program of a second space ends the machine.
static ENDS: AtomicBool = AtomicBool::new(false);

/// A program of a second space has made a call: ends the machine if that is wished.
pub fn end_by_second() {
    if ENDS.load(SeqCst) {
        contracts::power::exit(ExitReason::Exited(ENDED_BY_SECOND));
    }
}

/// Rounds for ever, for whoever ends processes of this machine.
fn stay() -> ! {
    loop {
        round::run();
        let _ = contracts::console::write(Stream::Output, b"two-spaces: a round\n");
    }
}

/// Rounds, until several have left the machine's memory as they found it. The first ones leave what is kept for the
/// next: stacks, and the heap's slabs of each processor.
fn rounds() {
    const IN_A_ROW: usize = 4;
    const MOST: usize = 200;
    let (mut free, mut alike) = (0, 0);
    for _ in 0..MOST {
        round::run();
        let before = core::mem::replace(&mut free, contracts::memory_report::memory_use().free);
        alike = if free >= before { alike + 1 } else { 0 };
        if alike == IN_A_ROW {
            return;
        }
    }
    fail("spaces that are given up leave something behind");
}

/// Whether system calls that trap become calls.
static REWRITES: AtomicBool = AtomicBool::new(false);

/// As the command wishes, and where the platform has another way in.
fn system_calls(launch: &Launch<'_>) {
    let wished = launch.first(Calls).is_some_and(|word| word.starts_with(b"rewrite"));
    set_system_calls(SystemCalls { rewritten: wished, ..SystemCalls::default() });
    REWRITES.store(wished && contracts::processor::call_entries(false).is_some(), SeqCst);
}

/// Whether system calls that trap become calls.
pub fn rewrites() -> bool {
    REWRITES.load(SeqCst)
}

impl Application for TwoSpaces {
    fn start(&self, boot: BootInfo) -> ! {
        system_calls(boot.launch);
        let Ok(first) = AddressSpace::new(false) else { fail("there is no first space") };
        task::start_first(&KEY, 0, first);
        match boot.launch.all(Argument).last() {
            Some(b"ends") => ENDS.store(true, SeqCst),
            Some(b"stays") => stay(),
            _ => {}
        }
        rounds();
        let line = alloc::format!("two-spaces: {} checks passed\n", PASSED.load(SeqCst));
        let _ = contracts::console::write(Stream::Output, line.as_bytes());
        contracts::power::exit(ExitReason::Exited(0))
    }

    fn system_call(&self, _: usize, _: usize, data: usize, _: usize, _: usize, _: usize, call: usize) -> isize {
        round::system_call(call, data)
    }

    fn trap(&self, context: &mut Context, _: Trap) {
        let line = alloc::format!("two-spaces: a program saw what is another's, or a fault: {context:x?}\n");
        let _ = contracts::console::write(Stream::Error, line.as_bytes());
        contracts::power::exit(ExitReason::Exited(1))
    }

    fn page_resolved(&self, _: usize, _: Access) {}

    fn resuming(&self, _: &mut Context) {}

    fn work(&self) {}

    fn out_of_memory(&self) -> bool {
        fail("no memory is left")
    }
}
