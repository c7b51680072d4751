//! What threads cost on the kernel's own objects: ticks of the time stamp counter per operation.
#![no_std]
#[macro_use]
extern crate whittle_std as std;

mod measure;
mod operations;

/// Measures what the words say.
pub fn main() -> std::process::ExitCode {
    measure::main("threads", operations::OPERATIONS)
}
