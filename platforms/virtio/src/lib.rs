//! Virtio devices on any board: finding them, speaking to them, and what the kernel has of them: the console, disks,
//! network interfaces, and directories of the host's.
//!
//! The element `virtio` knows queues and transports and no machine; this crate joins it with one, whatever that is: a
//! monitor's or a board's. What only the machine can do is the trait [`Board`], a slot that the platform fills.
#![no_std]
// Device registers and memory lent to devices.
#![allow(unsafe_code)]

extern crate alloc;
pub mod board;
mod console;
mod discovery;
mod disks;
mod nics;
mod shares;
mod transport;
mod window;

pub use bootinfo;
pub use virtio::transport::pci::Configuration;

pub use board::{Board, Message};
pub use console::{Console, exit, last_words, panic_exit, start};
pub use discovery::remember;
pub use disks::Disks;
pub use nics::Nics;
pub use shares::Shares;
