//! A test that is a program, which ends with 0 if all is well.

use std::path::Path;
use std::time::Duration;

use system_tests::{Guest, Outcome, Platform};

use super::Ended;

/// How long a test may take: an emulated machine is some tens of times slower. One makes a thousand processes, each of
/// which makes a thousand calls, and takes ten seconds on Linux.
const fn limit(platform: Platform) -> Duration {
    Duration::from_secs(if platform.is_pc() { 600 } else { 300 })
}

/// Runs a test in a folder.
pub fn run(platform: Platform, name: &str, program: &Path, folder: &Path) -> Ended {
    let ended = |passes, why| Ended { name: name.to_owned(), passes, why };
    if !program.is_file() {
        return ended(false, "it does not compile".to_owned());
    }
    let place = folder.to_str().expect("the folder's path is text");
    let guest = Guest::new(platform).directory(place).limit(limit(platform));
    let outcome = guest.run(&[program.to_str().expect("the target folder's path is text")]);
    let passes = outcome.status == 0 && !outcome.timed_out;
    let why = if passes { String::new() } else { last_words(&outcome) };
    ended(passes, why)
}

/// How a program ended, and the last line of what it said.
pub fn last_words(outcome: &Outcome) -> String {
    let how = if outcome.timed_out { "it did not end".to_owned() } else { format!("status {}", outcome.status) };
    let last = |text: String| text.lines().next_back().unwrap_or_default().to_owned();
    format!("{how}: {} {}", last(outcome.text()), last(outcome.error_text()))
}
