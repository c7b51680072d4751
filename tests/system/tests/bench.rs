//! What `whittle bench` prints for machines.

use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;
use system_tests::{Check, Platform, Running, Scope, need, skip};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("boot_as_json", Scope::Once, boot),
        Check::new("net_counts_as_json", Scope::Once, net_counts),
        Check::new("servers_as_json", Scope::Once, servers).long(),
    ])
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

/// What is measured over a TAP device, without Linux beside it, which would have to be fetched.
fn over_a_device(words: &[&str]) -> Value {
    let mut command = system_tests::whittle();
    command.arg("bench").args(words).args(["--json", "--reference", "no"]);
    let outcome = Running::start(command, None).finish(LIMIT);
    let said = String::from_utf8_lossy(&outcome.error).into_owned();
    if ["make a network namespace", "ip tuntap", "/dev/net/tun"].iter().any(|what| said.contains(what)) {
        skip(format!("no TAP device of our own: {said}"));
    }
    let printed = outcome.expect_status(0).text();
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"))
}

/// What a request costs servers of Debian's.
fn servers(_: Platform) {
    need(&["gcc", "ip", "qemu-system-x86_64", "redis-server", "nginx", "memcached"]);
    let figures = over_a_device(&["servers"]);
    let rows = figures["rows"].as_array().unwrap();
    let is_measured = |row: &Value| row["sides"]["pc"]["least"].as_f64().is_some_and(|count| count > 100.0);
    assert!(rows.len() == 12 && rows.iter().all(is_measured), "{figures}");
}

/// What is asked for of a network.
fn net_counts(_: Platform) {
    need(&["gcc", "ip", "qemu-system-x86_64"]);
    let figures = over_a_device(&["net", "--count"]);
    let rows = figures["rows"].as_array().unwrap();
    let names = ["key-value over UDP", "UDP echo", "TCP echo", "accept and close"];
    for name in names {
        let row =
            rows.iter().find(|row| row["operation"].as_str().is_some_and(|operation| operation.starts_with(name)));
        let count = row.and_then(|row| row["sides"]["pc"]["median"].as_f64());
        assert!(count.is_some_and(|count| count > 100.0), "{name}: {figures}");
    }
    // Steps are all of it, but for the program's own.
    let steps = figures["steps"][0]["pc"]["steps"].as_object().unwrap();
    let kernel = steps.iter().filter(|(name, _)| !name.ends_with("not in the sum"));
    let sum: f64 = kernel.filter_map(|(_, count)| count.as_f64()).sum();
    let whole = rows[0]["sides"]["pc"]["median"].as_f64().unwrap();
    assert!((sum - whole).abs() < 1.0, "{sum} of {whole}");
}
