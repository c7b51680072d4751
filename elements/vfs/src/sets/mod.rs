//! What sets of watched files are made of (epoll(7)): which of them are in which, and which members may be ready.

mod nesting;
mod ready;

#[cfg(test)]
mod tests;

pub use nesting::{DEEPEST, Graph, Nesting, Paths, TooDeep, within_limits};
pub use ready::{Member, Ready};
