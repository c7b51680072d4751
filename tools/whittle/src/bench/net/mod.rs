//! `whittle bench net`: what a network's requests cost, and how fast it carries streams, beside Linux.
//!
//! All of it but [`joined`] is in a network namespace of this command's own. The client is the same for all sides: this
//! command, with sockets of the Linux underneath, at the other end of a TAP device.

mod behind;
mod client;
mod count;
mod counter;
mod joined;
mod namespace;
mod pipe;
mod plot;
mod sides;
mod speed;
mod steps;

use crate::arguments::Net;
use crate::failure::Failure;
use crate::house::House;

pub use behind::{Behind, serve as behind_tap};
pub use client::{SERVER, until_served};
pub use counter::{Counter, Counts};
pub use namespace::{enter as enter_namespace, ip, tap as make_tap, tap_of_queues as make_tap_of_queues};
pub use sides::{Ours, linux_with, open_tap};
pub use steps::KERNEL;

/// The TAP device that leads to the machines, and its Linux end's address.
pub const TAP: &str = "tap0";
pub const ADDRESS: &str = "10.0.2.2/24";
/// That of the machines.
pub const ADDRESS_OF_MACHINES: &str = "10.0.2.15/24";

/// Measures and prints.
pub fn net(house: &House, wanted: &Net) -> Result<(), Failure> {
    match wanted {
        Net { count: true, .. } => count::count(house, wanted),
        Net { streams: true, .. } => pipe::streams(house, wanted),
        Net { pipe: true, .. } => pipe::messages(house, wanted),
        Net { guest: Some(megabytes), .. } => joined::joined(house, wanted, *megabytes),
        _ => speed::speed(house, wanted),
    }
}
