//! What several rooms talk of: amounts of memory, shares, disks, variables, as they stand on a command line.

mod compound;
mod disk;
mod mount;
mod root;
mod size;

pub use compound::{Share, Variable};
pub use disk::Disk;
pub use mount::Mount;
pub use root::Root;
pub use size::{Size, SizeError};
