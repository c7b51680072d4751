//! The command from outside, with kernels that are shell scripts.

mod console;
mod support;
mod terminal;
mod watcher;
