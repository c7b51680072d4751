//! The processor as the kernel sees it: the host thread that we run on.

mod provider;
mod start;
mod user_memory;

pub use provider::Processor;
pub use user_memory::UserMemory;
