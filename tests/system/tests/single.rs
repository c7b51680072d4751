//! The general Linux image without processes, `images/linux-single`: a program with its threads, and no other one.

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Guest, Platform, Scope, project_root, single};

fn main() -> ExitCode {
    system_tests::run(&[Check::new("another_process_is_refused_by_name", Scope::GuestsAtRing0, refused)])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);
/// What `programs/single.c` says in it.
const SAID: &str = "fork: ENOSYS\nvfork: ENOSYS\nposix_spawn: ENOSYS\nwait: ECHILD\nthreads: 4000\n";
/// What the kernel says, once.
const SENTENCE: &str = "whittle: the program wanted to start another process (clone), which this image leaves out: its \
    setting `processes` is false\n";

fn refused(platform: Platform) {
    let image = project_root().join("images/linux-single").display().to_string();
    let run = |guest: Guest| guest.limit(BUILD).run(&[&image, single().to_str().unwrap()]);
    let outcome = run(Guest::new(platform));
    assert_eq!(outcome.text(), SAID);
    assert_eq!(outcome.error_text().matches(SENTENCE).count(), 1, "{}", outcome.error_text());
    outcome.expect_status(7);
    let quiet = run(Guest::new(platform).option("--quiet"));
    assert_eq!(quiet.error_text().matches("another process").count(), 0, "{}", quiet.error_text());
    quiet.expect_status(7);
}
