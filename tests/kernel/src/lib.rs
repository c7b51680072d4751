//! The kernel core on a machine for tests: programs and threads that run on it, and address spaces as tests see them.
//!
//! A test program fills the slots with one line, [`machine!`], and runs each test by [`on_the_machine`], which looks
//! afterwards whether frames, pages and address spaces have come back.
//!
//! [`space`] is an address space as tests see it: loads and stores that fault as a processor's would.
//!
//! Unsafe: words and programs are found by addresses, as on any machine.

#![allow(unsafe_code)]

mod file;
mod program;
pub mod space;
mod tests;

pub use file::TestFile;
pub use program::{KernelProgram, Program};
pub use space::TestSpace;
pub use test_machine::{pager, processor, with_few_frames};
pub use tests::{Tests, on_the_machine};

#[doc(hidden)]
pub use {contracts, kernel, test_machine};

/// Fills the slots of the kernel core with the machine for tests, and those of the machine with the core.
#[macro_export]
macro_rules! machine {
    ($scheduler:ty) => {
        $crate::test_machine::platform!();
        $crate::contracts::provide_application!($crate::Tests = $crate::Tests);
        $crate::contracts::provide_kernel!($crate::kernel::Core);
        $crate::contracts::provide_scheduler!($scheduler);
        $crate::contracts::provide_config!(Config { processes: true, ..Config::DEFAULT });
    };
}
