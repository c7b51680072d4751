//! A link for tests: one thread carries frames between two TAP devices, and loses some of them by a seed.
//!
//! What Linux or a machine leaves to the device goes along: checksums, and segments that are still in one piece. A
//! piece counts as the segments that it stands for, and is lost as a whole, as a burst would be.
#![deny(unsafe_code)]

/// How a server is asked for streams: its own client.
#[path = "../../../apps/echo/src/client.rs"]
pub mod client;
mod link;
mod losses;
/// What is sent: the server's own file, so that both sides have one pattern and one digest.
#[path = "../../../apps/echo/src/pattern.rs"]
pub mod pattern;
mod tap;

pub use link::{Carried, Link};
pub use losses::Losses;
pub use tap::open;
