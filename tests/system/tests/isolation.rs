//! Processes that try what they may not; `programs/intruder.c` says what came of it. On Linux it is the reference.

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Guest, Platform, Scope, intruder};

fn main() -> ExitCode {
    let isolated = |platform| matches!(platform, Platform::Native | Platform::PcRing3);
    system_tests::run(&[
        Check::where_wanted("an_intruder_is_kept_out", Scope::Usual, isolated, |platform| tries(platform, "1", &ALL)),
        Check::where_wanted(
            "an_intruder_is_kept_out_on_2_cpus",
            Scope::Machines,
            |platform| platform == Platform::PcRing3,
            |platform| tries(platform, "2", &ALL),
        ),
        Check::new("other_users_are_kept_out", Scope::Guests, |platform| tries(platform, "1", &ANYWHERE)),
    ])
}

/// For building an image.
const LIMIT: Duration = Duration::from_secs(900);

/// The parts of the program, each of which says a line.
const ALL: [&str; 6] = ["kernel_memory", "buffers", "other_memory", "instructions", "frames", "rights"];

/// Those that hold where a program is not isolated from its kernel: what it may ask the kernel for.
const ANYWHERE: [&str; 2] = ["other_memory", "rights"];

fn tries(platform: Platform, processors: &str, parts: &[&str]) {
    let guest = Guest::new(platform).limit(LIMIT);
    let guest = if platform == Platform::Native { guest } else { guest.option("--cpus").option(processors) };
    let program = intruder();
    let outcome = guest.run(&[&[program.to_str().unwrap()], parts].concat());
    let wanted: String = parts.iter().map(|part| format!("{part}: ok\n")).collect();
    assert_eq!(outcome.text(), wanted);
    outcome.expect_status(0);
}
