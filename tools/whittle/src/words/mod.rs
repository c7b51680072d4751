//! What several rooms talk of: amounts of memory, shares, disks, network interfaces, variables, as they stand on a command line.

mod compound;
mod disk;
mod mount;
mod net;
mod nic;
mod published;
mod root;
mod size;

pub use compound::{Share, Variable};
pub use disk::Disk;
pub use mount::Mount;
pub use net::{Mac, Named, Net, Prefix, host_name};
pub use nic::Nic;
pub use published::Published;
pub use root::Root;
pub use size::{Size, SizeError};
