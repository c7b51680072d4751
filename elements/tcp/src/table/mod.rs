//! Where things are found: by index, by hash, by deadline.

mod deadlines;
mod index;
mod slab;
#[cfg(test)]
mod tests;

pub use deadlines::Deadlines;
pub use index::{Index, NONE, Things};
pub use slab::Slab;
