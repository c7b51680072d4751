//! The image `hello` for process: every part that is in it, and the slots it fills.
//!
//! Written by `whittle build` whenever whittle.toml changes; `whittle eject` makes it yours.
#![no_std]
#![no_main]
#![allow(unsafe_code)] // Filling a slot defines a link-time symbol.
#![allow(clippy::type_complexity)] // The boot stages are one type.

// rust: a Rust program of yours, straight on the contracts
whittle_std::application!(hello_native::main);

// process: a Linux process: the host's kernel is the machine
contracts::provide_boot!(process::Boot<()>);

// exit: ends the process with the status
contracts::provide_power!(process::Exit);

// place: prints file and line only, and leaves formatting out
whittle_std::panic_handler!(place);

// plain: the host's descriptors 0 to 2
contracts::provide_console!(process::Plain);

// What is settled when the image is built: nothing but defaults
contracts::provide_config!(contracts::config::Config::DEFAULT);
