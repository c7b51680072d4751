//! What a machine has as devices are the host's files here: the program's streams, the socket to the command, disks,
//! network interfaces, sockets and shared directories.

pub mod console;
pub mod control;
pub mod disks;
pub mod nics;
mod polling;
mod shares;
pub mod signals;
pub mod sockets;

pub use console::Console;
pub use disks::HostDisks;
pub use nics::HostNics;
pub use shares::HostFiles;
pub use sockets::HostSockets;
