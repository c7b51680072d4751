//! Descriptors: opening, duplicating, controlling, waiting.

mod block;
mod close;
mod duplicate;
mod fcntl;
mod flock;
mod ioctl;
mod memfd_create;
mod open;
mod openat2;
mod pipe;
mod range_locks;
mod terminal;

pub use close::{close, close_range};
pub use duplicate::{dup, dup2, dup3};
pub use fcntl::fcntl;
pub use flock::flock;
pub use ioctl::ioctl;
pub use memfd_create::memfd_create;
pub use open::{creat, open, openat};
pub use openat2::openat2;
pub use pipe::{pipe, pipe2};
