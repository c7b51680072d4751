//! Leaving a watcher behind.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::VERB;
use crate::child::detach;

/// Starts the command as a watcher of these stamps. It keeps nothing of this process's open: whoever waits for the end
/// of our output must not wait for it. Only its own program keeps the checkout's file system from being unmounted. A
/// start goes on without one as it would with it, so nothing is said if this fails.
pub fn leave(command: &Path, stamps: &[PathBuf]) {
    let mut watcher = Command::new(command);
    watcher.arg(VERB).args(stamps).current_dir("/");
    watcher.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    detach(&mut watcher);
    if let Ok(mut parent) = watcher.spawn() {
        // The child has ended as soon as it had a child of its own.
        let _ = parent.wait();
    }
}
