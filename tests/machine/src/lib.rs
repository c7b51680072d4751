//! A machine for tests: ordinary memory, a clock that stands, threads of the host as processors, a console that tests
//! type on, and applications whose instructions are Rust.
//!
//! It knows contracts alone, so that a crate of the kernel or above can have it for its own tests. A test program fills
//! a platform's slots with one line, [`platform!`], brings those above itself (kernel, application, scheduler), and
//! runs each test by [`on_the_machine`]. There is one machine per program, which boots at the first test and runs one
//! at a time.
//!
//! - [`pager`] is the slot `translations`: a map of pages for each space, in memory.
//! - [`processor`] knows when everybody sleeps. Then it moves the clock to the next alarm; without one, the test fails.
//! - [`application`] makes system calls as a program would, and runs its handlers of signals.
//!
//! Unsafe: kernel pages, stacks and programs are found by addresses, as on any machine.

#![allow(unsafe_code)]

pub mod application;
mod archived;
mod booting;
mod clock;
pub mod console;
mod failure;
mod kernel_memory;
pub mod pager;
mod place;
pub mod power;
pub mod processor;
mod slots;
mod user_memory;

pub use archived::{Archived, boot_info};
pub use booting::{Body, in_use, on_the_machine, serve};
pub use clock::Clock;
pub use failure::give_in;
pub use kernel_memory::{KernelMemory, pages_in_use};
pub use pager::with_few_frames;
pub use place::place;
pub use slots::{Entropy, Heap, NoApplication, Report};
pub use user_memory::UserMemory;

#[doc(hidden)]
pub use contracts;

/// Fills the slots of a platform with this machine, which has as many processors as the scheduler serves.
#[macro_export]
macro_rules! platform {
    () => {
        const _: () = {
            $crate::contracts::provide_alarm!($crate::processor::Alarm = $crate::processor::Alarm);
            $crate::contracts::provide_clock!($crate::Clock = $crate::Clock);
            $crate::contracts::provide_console!($crate::console::Console = $crate::console::Console);
            $crate::contracts::provide_entropy!($crate::Entropy = $crate::Entropy);
            $crate::contracts::provide_heap!($crate::Heap = $crate::Heap);
            $crate::contracts::provide_kernel_memory!($crate::KernelMemory = $crate::KernelMemory);
            $crate::contracts::provide_memory_report!($crate::Report = $crate::Report);
            $crate::contracts::provide_power!($crate::power::Power = $crate::power::Power);
            $crate::contracts::provide_processor!($crate::processor::Processor = $crate::processor::Processor);
            $crate::contracts::provide_translations!($crate::pager::Pager = $crate::pager::Pager);
            $crate::contracts::provide_user_memory!($crate::UserMemory = $crate::UserMemory);
        };
    };
}
