//! A machine for tests of the kernel core: ordinary memory, a clock that stands, and threads of the host as processors.
//!
//! A test program fills the core's slots with one line, [`machine!`], and runs each test by [`on_the_machine`]. There is
//! one machine per program, which boots at the first test and runs one at a time. After each it looks whether frames,
//! pages and address spaces have come back.
//!
//! - [`pager`] is the slot `translations`: a map of pages for each space, in memory.
//! - [`space`] is an address space as tests see it: loads and stores that fault as a processor's would.
//! - [`processor`] knows when everybody sleeps. Then it moves the clock to the next alarm; without one, the test fails.
//!
//! Unsafe: kernel pages, stacks and programs are found by addresses, as on any machine.

#![allow(unsafe_code)]

mod booting;
mod clock;
mod failure;
mod file;
mod kernel_memory;
pub mod pager;
pub mod processor;
mod program;
mod slots;
pub mod space;
mod user_memory;

pub use booting::{Tests, on_the_machine};
pub use clock::Clock;
pub use file::TestFile;
pub use kernel_memory::{KernelMemory, pages_in_use};
pub use pager::with_few_frames;
pub use program::{KernelProgram, Program};
pub use slots::{Console, Entropy, Power, Report};
pub use space::TestSpace;
pub use user_memory::UserMemory;

#[doc(hidden)]
pub use {contracts, kernel};

/// Fills the slots of the kernel core with this machine, which has as many processors as the scheduler serves.
#[macro_export]
macro_rules! machine {
    ($scheduler:ty) => {
        $crate::contracts::provide_alarm!($crate::processor::Alarm = $crate::processor::Alarm);
        $crate::contracts::provide_application!($crate::Tests = $crate::Tests);
        $crate::contracts::provide_clock!($crate::Clock = $crate::Clock);
        $crate::contracts::provide_console!($crate::Console = $crate::Console);
        $crate::contracts::provide_entropy!($crate::Entropy = $crate::Entropy);
        $crate::contracts::provide_kernel!($crate::kernel::Core);
        $crate::contracts::provide_kernel_memory!($crate::KernelMemory = $crate::KernelMemory);
        $crate::contracts::provide_memory_report!($crate::Report = $crate::Report);
        $crate::contracts::provide_power!($crate::Power = $crate::Power);
        $crate::contracts::provide_processor!($crate::processor::Processor = $crate::processor::Processor);
        $crate::contracts::provide_scheduler!($scheduler);
        $crate::contracts::provide_translations!($crate::pager::Pager = $crate::pager::Pager);
        $crate::contracts::provide_user_memory!($crate::UserMemory = $crate::UserMemory);
        $crate::contracts::provide_config!(Config { address_spaces: true, ..Config::DEFAULT });
    };
}
