//! The application of this machine: it runs tests on the first thread, and looks what they leave behind.

use contracts::application::Application;
use kernel::{memory::AddressSpace, task};
use launch::Launch;
use machine::{Access, BootInfo, Context, Trap};
use test_machine::{Body, give_in, in_use};

use crate::program::KEY;

/// Fills the slot `application`: it runs tests.
#[derive(Debug)]
pub struct Tests;

/// Runs a test on the machine's first thread, alone; fails as it does.
pub fn on_the_machine(body: impl FnOnce() + Send + 'static) {
    test_machine::on_the_machine(nothing, body);
}

/// What the machine boots with.
fn nothing() -> BootInfo {
    let launch = Box::leak(Box::new(Launch::new(&[])));
    BootInfo { archive: &[], launch, command_line: "", entry_cycles: 0 }
}

fn run(body: Body) {
    /// Threads that have been joined may still be on their way out on another processor.
    const LOOKS: usize = 100_000;
    let before = in_use();
    body();
    for _ in 0..LOOKS {
        if in_use() == before {
            return;
        }
        task::yield_now();
        std::thread::yield_now();
    }
    assert_eq!(in_use(), before, "the test leaves frames, pages or spaces behind");
}

impl Application for Tests {
    fn start(&self, _: BootInfo) -> ! {
        task::start_first(&KEY, (), AddressSpace::new(false).expect("the first space"));
        test_machine::serve(run)
    }

    fn system_call(&self, _: usize, _: usize, _: usize, _: usize, _: usize, _: usize, _: usize) -> isize {
        unreachable!("programs of tests call the kernel's functions")
    }

    fn trap(&self, context: &mut Context, trap: Trap) {
        give_in(&format!("a trap that nobody raises: {trap:?} in {context:x?}"))
    }

    fn page_resolved(&self, _: usize, _: Access) {}

    fn resuming(&self, _: &mut Context) {}

    fn work(&self) {}

    fn out_of_memory(&self) -> bool {
        panic!("the machine is out of memory")
    }
}
