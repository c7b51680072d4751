//! From the host's first instruction to [`machine::Kernel::main`].

mod auxiliary;
mod seccomp;
mod stages;
mod start;

pub use stages::{Isolation, Memory, Traps};
pub use start::Boot;
