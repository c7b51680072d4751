//! The command's entry; everything is in the library, so that tests can reach it.
#![forbid(unsafe_code)]

use std::process::ExitCode;

#[global_allocator]
static HEAP: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    ExitCode::from(whittle::main())
}
