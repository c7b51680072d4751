//! What several rooms talk of: amounts of memory, shares, disks, network interfaces, variables, as they stand on a
//! command line.

mod compound;
mod disk;
mod health;
mod mount;
mod name;
mod net;
mod nic;
mod published;
mod restart;
mod root;
mod size;

pub use compound::{Share, Variable};
pub use disk::Disk;
pub use health::HealthUrl;
pub use mount::Mount;
pub use name::Name;
pub use net::{Mac, Named, Net, Prefix, host_name};
pub use nic::Nic;
pub use published::Published;
pub use restart::Restart;
pub use root::Root;
pub use size::{Size, SizeError};
