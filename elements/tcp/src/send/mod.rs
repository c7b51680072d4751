//! What a program has written, until the other side acknowledges it.

mod pieces;
mod queue;
mod records;
#[cfg(test)]
mod tests;

pub use pieces::{OVERHEAD, Pieces};
pub use queue::Queue;
pub use records::{Fate, Record, Records};
