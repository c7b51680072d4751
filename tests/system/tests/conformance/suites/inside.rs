//! A unit that runs inside as a whole: a script, and all that it starts.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use system_tests::{Guest, Outcome, Platform, scratch};

/// Runs a command in a copy of a folder, which it may change, with two processors: a suite may want a second one.
pub fn run(platform: Platform, folder: &Path, words: &[&str], limit: Duration) -> Outcome {
    let place = scratch();
    let mut copy = Command::new("cp");
    copy.arg("-a").arg(folder.join(".")).arg(place.path());
    assert!(copy.status().is_ok_and(|status| status.success()), "the temporary folder can be written");
    let place = place.path().to_str().expect("the temporary folder's path is text");
    Guest::new(platform).option("--cpus").option("2").directory(place).limit(limit).run(words)
}
