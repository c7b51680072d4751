//! System calls of the host: everything we ask of it, typed, and nothing else.
//!
//! The one `syscall` instruction (and the signal handlers' way back) is in [`call`]. A host call that is not in
//! `boot/seccomp` kills us, so the two change together.

mod call;
pub mod companions;
pub mod directory;
pub mod disk;
pub mod files;
pub mod frame;
pub mod memory;
pub mod number;
pub mod packets;
pub mod process;
pub mod signal;
pub mod sockets;
pub mod thread;
pub mod time;
pub mod vdso;

pub use call::{HostError, clock, hold, instructions, restorer};
