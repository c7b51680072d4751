//! The same server on Linux, with the standard library that the native one is compared with.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    net_pipe::main()
}
