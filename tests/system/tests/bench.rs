//! What `whittle bench` prints for machines.

use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;
use system_tests::{Check, Platform, Running, Scope, need, skip};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("boot_as_json", Scope::Once, boot),
        Check::new("processes_as_json", Scope::Once, processes),
        Check::new("builds_as_json", Scope::Once, builds).long(),
        Check::new("net_counts_as_json", Scope::Once, net_counts).long(),
        Check::new("servers_as_json", Scope::Once, servers).long(),
        Check::new("servers_start", Scope::Once, servers_start).long(),
        Check::new("servers_speed", Scope::Once, servers_speed).long(),
        Check::new("servers_processors", Scope::Once, servers_processors).long(),
        Check::new("servers_soak", Scope::GuestsAtRing0, servers_soak).long(),
    ])
}

/// Kernels may have to be built first, on a busy machine.
const LIMIT: Duration = Duration::from_secs(900);

/// That of half an hour under load, and what begins and ends it.
const SOAK: Duration = Duration::from_secs(3000);

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

/// Processes that are made, start a program and take turns: by instructions, which repeat, and by time.
fn processes(_: Platform) {
    need(&["gcc", "/bin/busybox", "qemu-system-x86_64"]);
    let names = ["fork-wait", "vfork-exec-wait", "posix-spawn-wait", "pipe-between-processes"];
    let only = names.iter().flat_map(|name| ["--only", name]);
    for (more, side) in [(&["--count"][..], "ring 0"), (&["--rounds", "1"], "ours")] {
        let mut command = system_tests::whittle();
        command.args(["bench", "processes", "--json", "--reference", "no"]).args(more).args(only.clone());
        let printed = Running::start(command, None).finish(LIMIT);
        let printed = printed.expect_status(0).text();
        let table: Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
        let rows = table["rows"].as_array().unwrap();
        assert_eq!(rows.len(), names.len(), "{printed}");
        for (name, row) in names.iter().zip(rows) {
            assert_eq!(row["operation"], *name, "{printed}");
            assert!(row["sides"][side]["least"].as_f64().is_some_and(|figure| figure > 100.0), "{name}: {printed}");
        }
    }
}

/// A configure script and a build by make, each with its processors: on one, and on all.
fn builds(_: Platform) {
    need(&["autoconf", "gcc", "make"]);
    for more in [&[][..], &["--all-processors"]] {
        let mut command = system_tests::whittle();
        command.args(["bench", "processes", "--json", "--rounds", "1", "--only", "configure", "--only", "make"]);
        command.args(more);
        let printed = Running::start(command, None).finish(LIMIT);
        let printed = printed.expect_status(0).text();
        let table: Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
        for (name, row) in ["configure", "make"].iter().zip(table["rows"].as_array().unwrap()) {
            assert_eq!(row["operation"], *name, "{printed}");
            for side in ["ours", "Linux"] {
                assert!(row["sides"][side]["least"].as_f64().is_some_and(|figure| figure > 10.0), "{name}: {printed}");
            }
        }
    }
    let mut command = system_tests::whittle();
    command.args(["bench", "processes", "--count", "--only", "make"]);
    let outcome = Running::start(command, None).finish(LIMIT);
    assert!(String::from_utf8_lossy(&outcome.error).contains("of make there are times only"), "{outcome:?}");
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
    need(&["gcc", "go", "ip", "qemu-system-x86_64", "redis-server", "nginx", "memcached", "node"]);
    let figures = over_a_device(&["servers"]);
    let rows = figures["rows"].as_array().unwrap();
    let is_measured = |row: &Value| row["sides"]["pc"]["least"].as_f64().is_some_and(|count| count > 100.0);
    assert!(rows.len() == 24 && rows.iter().all(is_measured), "{figures}");
}

/// Whether each row of a table has figures of its first side.
fn is_measured(table: &Value, least: usize) -> bool {
    let rows = table["rows"].as_array().map_or(&[][..], Vec::as_slice);
    let is_positive = |side: &Value| side["least"].as_f64().is_some_and(|figure| figure > 0.0);
    let first = |row: &Value| row["sides"].as_object().is_some_and(|sides| sides.values().any(is_positive));
    rows.len() >= least && rows.iter().all(first)
}

/// From the start to the first answer. The kernel's part repeats, but for what it does while it waits for its client.
fn servers_start(_: Platform) {
    need(&["gcc", "ip", "qemu-system-x86_64", "redis-server", "nginx"]);
    let figures = over_a_device(&["servers", "--start", "--only", "redis-server", "--only", "nginx", "--rounds", "1"]);
    let tables = figures.as_array().unwrap();
    assert!(tables.len() == 4 && tables.iter().all(|table| is_measured(table, 2)), "{figures}");
    let of = |table: usize, row: usize| tables[table]["rows"][row]["sides"]["pc"]["median"].as_f64().unwrap();
    // The limits of issue 18, which are those of the book: docs/src/figures.md.
    assert!(of(0, 0) < 10e6 && of(0, 2) < 5e6, "instructions of the kernel: {figures}");
    assert!(of(3, 0) < 16_384.0 && of(3, 1) < 12_288.0, "kilobytes: {figures}");
}

/// Requests per second: each is looked at, how many there are is the machine's.
fn servers_speed(_: Platform) {
    need(&["gcc", "ip", "memcached"]);
    let figures = over_a_device(&["servers", "--speed", "--only", "memcached", "--rounds", "1"]);
    let tables = figures.as_array().unwrap();
    assert!(tables.len() == 3 && tables.iter().all(|table| is_measured(table, 2)), "{figures}");
}

/// One processor, and two.
fn servers_processors(_: Platform) {
    need(&["gcc", "ip", "memcached", "qemu-system-x86_64", "taskset"]);
    let figures = over_a_device(&["servers", "--processors", "--only", "memcached", "--rounds", "1"]);
    let tables = figures.as_array().unwrap();
    assert!(tables.len() == 2 && tables.iter().all(|table| is_measured(table, 1)), "{figures}");
}

/// Half an hour of redis and nginx under full load with two processors: the command fails if something does or grows.
fn servers_soak(platform: Platform) {
    need(&["redis-server", "nginx"]);
    let name = if platform.is_pc() { "pc" } else { "process" };
    let mut command = system_tests::whittle();
    command.args(["bench", "servers", "--soak", "30", "--platform", name, "--json"]);
    let outcome = Running::start(command, None).finish(SOAK);
    let printed = outcome.expect_status(0).text();
    let all: Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    eprintln!("figure: {name}: {all}");
    let is_loaded = |machine: &Value| machine["requests"].as_u64().is_some_and(|requests| requests > 1000);
    assert!(all.as_array().is_some_and(|all| all.len() == 2 && all.iter().all(is_loaded)), "{all}");
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
