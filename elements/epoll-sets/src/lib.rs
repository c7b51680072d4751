//! Sets of files that are watched together (epoll(7)). A [`Set`] has an interest list of [`Item`]s and a list of those
//! that may be ready ([`Ready`]); [`Nesting`] is which sets are in which.
//!
//! What a file is, and how it is known that it is ready, the owner says.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod item;
mod nesting;
mod ready;
mod set;

#[cfg(test)]
mod set_tests;
#[cfg(test)]
mod tests;

pub use item::{Item, MODES, REPORTED, Told, Watched, is_contradictory};

pub use nesting::{DEEPEST, Graph, Nesting, Paths, TooDeep, within_limits};
pub use ready::{Member, Ready};
pub use set::{Refused, Set};
