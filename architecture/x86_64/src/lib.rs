//! What the x86-64 platforms share: single instructions with names, copies across the border to the application, and
//! its vector state.
//!
//! Everything here works at ring 0 (pc) and at ring 3 (process), except the module [`registers`].
#![no_std]
// Instructions that the compiler does not know are this crate's purpose.
#![allow(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod alone;
mod compare;
mod counter;
pub mod cpuid_cache;
pub mod describe;
mod entropy;
pub mod features;
pub mod fix_up;
pub mod halt;
pub mod instructions;
mod jump;
pub mod launch;
mod mem;
pub mod registers;
pub mod report;
pub mod snapshot;
pub mod switch;
pub mod user;
pub mod vector;

pub use counter::Counter;
pub use entropy::Random;
