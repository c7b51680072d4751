//! What several rooms talk of: amounts of memory, shares, variables, as they stand on a command line.

mod compound;
mod size;

pub use compound::{Share, Variable};
pub use size::{Size, SizeError};
