//! Network namespaces: networks that nobody else is on, and that are gone with the thread that made them.

use std::process::Command;

use nix::sched::{CloneFlags, unshare};

use crate::{need, skip};

/// Runs `body` in a thread with a network namespace of its own. Its processes are in it too. Skips the test where that
/// may not be, or where the body says why it cannot.
///
/// # Panics
/// As the body does.
pub fn in_namespace(body: impl FnOnce() -> Result<(), String> + Send + 'static) {
    need(&["ip"]);
    let inside = || {
        unshare(CloneFlags::CLONE_NEWNET).map_err(|error| format!("no network namespace of our own: {error}"))?;
        body()
    };
    let end = std::thread::spawn(inside).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    if let Err(reason) = end {
        skip(reason);
    }
}

/// Runs ip(8) with the words of a line.
///
/// # Errors
/// What it says.
///
/// # Panics
/// There is no ip(8): [`in_namespace`] has seen to that.
pub fn ip(line: &str) -> Result<(), String> {
    let output = Command::new("ip").args(line.split(' ')).output().expect("ip(8) starts");
    if output.status.success() {
        return Ok(());
    }
    Err(format!("ip {line}: {}", String::from_utf8_lossy(&output.stderr).trim_end()))
}
