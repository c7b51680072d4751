//! Several address spaces in one kernel: `programs/two-spaces` is an application in the place of the Linux layer, whose
//! threads run at the same addresses of several spaces. Platform process has one space.

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Guest, Platform, Scope, project_root};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("spaces_are_apart_on_1_cpu", Scope::Machines, |platform| spaces(platform, "1")),
        Check::new("spaces_are_apart_on_2_cpus", Scope::Machines, |platform| spaces(platform, "2")),
    ])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);

fn spaces(platform: Platform, processors: &str) {
    let image = project_root().join("tests/system/programs/two-spaces").display().to_string();
    // The command wants a program for what is no native image; this application reads none.
    let outcome = Guest::new(platform).limit(BUILD).option("--cpus").option(processors).run(&[&image, "/bin/busybox"]);
    outcome.expect_status(0);
    let text = outcome.text();
    assert!(text.starts_with("two-spaces: ") && text.ends_with(" checks passed\n"), "{text}");
}
