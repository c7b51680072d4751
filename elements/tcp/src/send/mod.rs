//! What a program has written, until the other side acknowledges it.

mod queue;
mod records;
#[cfg(test)]
mod tests;

pub use queue::Queue;
pub use records::{Fate, Record, Records};
