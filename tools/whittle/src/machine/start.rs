//! What a machine needs to start, whatever it is.

use std::fs::File;
use std::path::PathBuf;

use super::Wanted;
use crate::arguments::{Accelerator, Machine};
use crate::failure::Failure;

/// A machine to be started.
pub struct Start {
    /// The boot archive, an in-memory file.
    pub archive: File,
    /// The kernel that is started.
    pub kernel: PathBuf,
    /// The same kernel with names and lines.
    pub symbols: PathBuf,
    /// Bytes of memory (pc).
    pub memory: u64,
    /// The virtual machine (pc).
    pub machine: Machine,
    /// How QEMU executes (pc).
    pub accelerator: Accelerator,
    /// Count instructions (pc).
    pub icount: bool,
    /// Start stopped, and say how to attach a debugger to the program at this host path.
    pub debug: Option<PathBuf>,
    /// Records to print.
    pub wanted: Wanted,
}

/// What to say when a machine ended without a word from its kernel.
pub fn silent(what: &str, how: &str, words: &str) -> Failure {
    let words = words.trim();
    let said = if words.is_empty() { String::new() } else { format!(":\n{words}") };
    Failure::ours(format!("{what} ended without a word from the kernel ({how}){said}"))
}
