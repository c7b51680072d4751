//! Every contract of the house and its link-time slot: a page each, the whole system to read from here.
//!
//! A contract is a trait of an element and a *slot* for one static instance of it. The image fills a slot with one
//! line, `contracts::provide_clock!(pc::Tsc);`; anyone calls it as `contracts::clock::monotonic()`. The slot declares
//! link-time symbols, so callers do not depend on providers, and under whole-program optimisation the call vanishes.
//! A slot that nobody fills is an undefined symbol with the contract's name in it.
#![no_std]
// Declaring and defining link-time symbols is unsafe Rust: the `slot!` macro is the one place that does it.
#![allow(unsafe_code)]

// A slot's signatures are written once and read in two crates, here and in the image: both know this name.
extern crate self as contracts;

pub use ::blkdev as blkdev_element;
pub use ::frames as frames_element;
pub use ::heap as heap_element;
pub use config::config;
pub use machine;
pub use sched;
pub use vfs;

#[macro_use]
mod slot;

pub mod alarm;
pub mod application;
pub mod arguments;
pub mod blkdev;
pub mod boot;
pub mod clock;
pub mod config;
pub mod console;
pub mod entropy;
pub mod filesystem;
pub mod frames;
pub mod heap;
pub mod kernel;
pub mod kernel_memory;
pub mod memory_report;
pub mod power;
pub mod processor;
pub mod root;
pub mod scheduler;
pub mod shares;
pub mod system_calls;
pub mod translations;
pub mod user_memory;
pub mod volumes;
