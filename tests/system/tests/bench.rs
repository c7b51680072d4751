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

/// What a request costs servers of Debian's, without Linux beside them.
fn servers(_: Platform) {
    need(&["gcc", "ip", "qemu-system-x86_64", "redis-server", "nginx", "memcached"]);
    let mut command = system_tests::whittle();
    command.args(["bench", "servers", "--json", "--reference", "no"]);
    let outcome = Running::start(command, None).finish(LIMIT);
    let said = String::from_utf8_lossy(&outcome.error).into_owned();
    if NO_DEVICE.iter().any(|what| said.contains(what)) {
        skip(format!("no TAP device of our own: {said}"));
    }
    let printed = outcome.expect_status(0).text();
    let figures: Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    let rows = figures["rows"].as_array().unwrap();
    let instructions = |row: &Value| row["sides"]["pc"]["least"].as_f64();
    assert!(
        rows.len() == 12 && rows.iter().all(|row| instructions(row).is_some_and(|count| count > 100.0)),
        "{printed}"
    );
}

/// What is said where nobody may make one.
const NO_DEVICE: [&str; 3] = ["make a network namespace", "ip tuntap", "/dev/net/tun"];

/// What is asked for of a network, without Linux beside it, which would have to be fetched.
fn net_counts(_: Platform) {
    need(&["gcc", "ip", "qemu-system-x86_64"]);
    let mut command = system_tests::whittle();
    command.args(["bench", "net", "--count", "--json", "--reference", "no"]);
    let outcome = Running::start(command, None).finish(LIMIT);
    let said = String::from_utf8_lossy(&outcome.error).into_owned();
    if NO_DEVICE.iter().any(|what| said.contains(what)) {
        skip(format!("no TAP device of our own: {said}"));
    }
    let printed = outcome.expect_status(0).text();
    let figures: Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    let rows = figures["rows"].as_array().unwrap();
    let names = ["key-value over UDP", "UDP echo", "TCP echo", "accept and close"];
    for name in names {
        let row =
            rows.iter().find(|row| row["operation"].as_str().is_some_and(|operation| operation.starts_with(name)));
        let count = row.and_then(|row| row["sides"]["pc"]["median"].as_f64());
        assert!(count.is_some_and(|count| count > 100.0), "{name}: {printed}");
    }
    // Steps are all of it, but for the program's own.
    let steps = figures["steps"][0]["pc"]["steps"].as_object().unwrap();
    let kernel = steps.iter().filter(|(name, _)| !name.ends_with("not in the sum"));
    let sum: f64 = kernel.filter_map(|(_, count)| count.as_f64()).sum();
    let whole = rows[0]["sides"]["pc"]["median"].as_f64().unwrap();
    assert!((sum - whole).abs() < 1.0, "{sum} of {whole}");
}
