//! The Linux door on the machine for tests: system calls go through the table as a program's do, with user memory of
//! its own, and what they answer is compared with what Linux' manual pages say.
//!
//! A test's body is a program: it runs by [`on_linux`] as the first thread of the one process. Calls read as in C:
//!
//! ```ignore
//! expect! {
//!     open("/etc/motd", O_RDONLY, 0) => 3;
//!     close(4) => EBADF;
//! }
//! ```
//!
//! Strings and bytes among the arguments are put into the program's memory. After each test the harness looks whether a
//! descriptor, a thread, a frame or a blocked signal was left behind.

#[macro_use]
mod notation;
mod machine;
#[allow(dead_code, unused_imports)] // as in a header, there are more than are wanted
mod names;
mod program;

mod attributes;
mod descriptors;
mod directories;
mod events;
mod files;
mod futexes;
mod identity;
mod internet;
mod memory;
mod network;
mod signals;
mod sockets;
mod time;
mod waiting_packets;
