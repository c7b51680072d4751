//! Virtio drivers: split virtqueues, the mmio and PCI transports, and some devices.
//!
//! Source throughout: OASIS "Virtual I/O Device (VIRTIO) Version 1.2", cited by section. Three layers, as elsewhere in
//! the world of virtio: [`queue`] moves buffers, [`transport`] is how a device is reached, devices ([`console`]) join
//! the two. Only version 1 devices ("modern") are driven.
//!
//! A device is not trusted: lengths and indices that it writes are checked against what the driver remembers in its
//! own memory, and memory shared with it is only ever copied ([`Shared`]), never borrowed. All unsafe code is in
//! `shared.rs`. Nothing here allocates but [`net`], whose packets are owned memory; the platform brings memory and
//! registers.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod block;
pub mod console;
pub mod device;
#[cfg(test)]
mod fake;
pub mod net;
pub mod ninep;
pub mod queue;
mod shared;
pub mod transport;

pub use shared::{Lent, Shared};
