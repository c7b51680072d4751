//! Several address spaces in one kernel: `programs/two-spaces` is an application in the place of the Linux layer, whose
//! threads run at the same addresses of several spaces.

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Guest, Platform, Scope, project_root};

fn main() -> ExitCode {
    let on = |processors: &'static str| move |platform| spaces(platform, &["--cpus", processors]);
    let trapping = |processors: &'static str| {
        move |platform| spaces(platform, &["--cpus", processors, "--syscalls", "trap"])
    };
    system_tests::run(&[
        Check::new("spaces_are_apart_on_1_cpu", Scope::Guests, on("1")),
        Check::new("spaces_are_apart_on_2_cpus", Scope::Guests, on("2")),
        Check::new("spaces_are_apart_on_5_cpus", Scope::Once, on("5")),
        Check::new("spaces_whose_calls_trap_are_apart_on_1_cpu", Scope::Once, trapping("1")),
        Check::new("spaces_whose_calls_trap_are_apart_on_2_cpus", Scope::Once, trapping("2")),
    ])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);

fn spaces(platform: Platform, options: &[&str]) {
    let image = project_root().join("tests/system/programs/two-spaces").display().to_string();
    let guest = options.iter().fold(Guest::new(platform).limit(BUILD), |guest, option| guest.option(*option));
    // The command wants a program for what is no native image; this application reads none.
    let outcome = guest.run(&[&image, "/bin/busybox"]);
    outcome.expect_status(0);
    let text = outcome.text();
    assert!(text.starts_with("two-spaces: ") && text.ends_with(" checks passed\n"), "{text}");
}
