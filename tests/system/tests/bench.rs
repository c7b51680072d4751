//! What `whittle bench` prints for machines.

use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;
use system_tests::{Check, Platform, Running, Scope, need};

fn main() -> ExitCode {
    system_tests::run(&[Check::new("boot_as_json", Scope::Once, boot)])
}

/// Kernels may have to be built first, on a busy machine.
const LIMIT: Duration = Duration::from_secs(900);

/// The figures that the book (docs/src/figures.md) takes from there.
const FIGURES: [&str; 9] = [
    "bytes, pc kernel, stripped",
    "bytes, process kernel, stripped",
    "instructions, entry to the first of busybox echo, pc",
    "instructions, entry to the exit of busybox echo, pc",
    "kilobytes, least memory of busybox echo on pc",
    "milliseconds to output, busybox echo by itself",
    "milliseconds to output, process, alone",
    "milliseconds to output, process, on the host's files",
    "milliseconds to output, microvm emulated, alone",
];

fn boot(_: Platform) {
    need(&["/bin/busybox", "qemu-system-x86_64"]);
    let mut command = system_tests::whittle();
    command.args(["bench", "boot", "--json", "--rounds", "1"]);
    let printed = Running::start(command, None).finish(LIMIT);
    let printed = printed.expect_status(0).text();
    let figures: Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    for name in FIGURES {
        assert!(figures[name].as_f64().is_some_and(|figure| figure > 0.0), "{name}: {printed}");
    }
}
