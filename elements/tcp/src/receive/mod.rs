//! What has come from the other side, until a program reads it.

mod queue;
mod reassembly;
#[cfg(test)]
mod tests;
mod window;

pub use queue::Queue;
pub use reassembly::{Reassembly, cut};
pub use window::{Tuning, select};
