//! The processor as the kernel sees it: the host thread that we run on.

mod provider;
mod start;

pub use provider::Processor;
