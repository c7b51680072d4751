//! Sockets within the machine: unix(7).

mod bind;
mod connection;
mod names;
mod options;
mod receive;
mod send;
#[expect(clippy::module_inception, reason = "it is about what the family is called for")]
mod socket;

pub use bind::bind;
pub use connection::{accept, accept4, connect, listen, shutdown};
pub use names::{getpeername, getsockname};
pub use options::{getsockopt, setsockopt};
pub use receive::{recvfrom, recvmmsg, recvmsg};
pub use send::{sendmmsg, sendmsg, sendto};
pub use socket::{socket, socketpair};
