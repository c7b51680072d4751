//! The functions of packetdrill's table. Each does what the call of its name does (man 2), with numbers and structures
//! of Linux.

pub mod addresses;
pub mod descriptors;
pub mod memory;
pub mod receiving;
pub mod sending;
pub mod sockets;
pub mod time;
pub mod waiting;
