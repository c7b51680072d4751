//! The slots of all contracts. Their methods and what these mean are on one page: README.md beside this crate.
//!
//! A contract is a trait, which `declaration::contract!` declares in an element, and a *slot* for one static instance
//! of it: a line below. The image fills a slot with one line, `contracts::provide_clock!(pc::Clock);`; anyone calls it
//! as `contracts::clock::monotonic()`. The slot declares link-time symbols, so callers do not depend on providers, and
//! under whole-program optimisation the call vanishes. A slot that nobody fills is an undefined symbol with the
//! contract's name in it.
#![no_std]
// Declaring and defining link-time symbols is unsafe Rust: the `slot!` macro is the one place that does it.
#![allow(unsafe_code)]

pub use ::blkdev as blkdev_element;
pub use ::frames as frames_element;
pub use ::heap as heap_element;
pub use ::nic as nic_element;
pub use ::sockets as sockets_element;
pub use config::config;
pub use machine;
pub use sched;
pub use vfs;

#[macro_use]
mod slot;

// The machine.
pub mod boot;
page!(machine::kernel, provide_kernel);
page!(machine::processor, provide_processor);
page!(machine::clock, provide_clock);
page!(machine::alarm, provide_alarm);
page!(machine::console, provide_console);
page!(machine::entropy, provide_entropy);
page!(machine::arguments, provide_arguments);
page!(machine::power, provide_power);

// Memory.
page!(frames_element::frames, provide_frames);
page!(machine::translations, provide_translations);
page!(machine::user_memory, provide_user_memory);
page!(machine::kernel_memory, provide_kernel_memory);
page!(machine::memory_report, provide_memory_report);
pub mod heap;

// Threads.
pub mod scheduler;

// Files and disks.
page!(vfs::root, provide_root);
page!(vfs::filesystem, provide_filesystem);
page!(vfs::shares, provide_shares);
pub mod blkdev;
page!(vfs::volumes, provide_volumes);

// Networks.
pub mod nic;
page!(sockets_element::sockets, provide_sockets);
page!(sockets_element::outside, provide_outside);

// Programs with system calls.
page!(machine::application, provide_application);
pub mod system_calls;

pub mod config;
