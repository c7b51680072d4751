//! `--memory` and `--cpus`: programs see them where Linux and its containers show them, size themselves by them, and
//! cannot go beyond.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use system_tests::{Build, Check, Guest, LibC, Outcome, Platform, Scope, Unmodified, need, processor_time, processors};

fn main() -> ExitCode {
    use Scope::{Guests, GuestsAtRing0};
    system_tests::run(&[
        Check::new("files_tell_them", Guests, files),
        Check::new("a_threads_processors_are_told", Guests, threads),
        Check::new("java_goes_by_them", GuestsAtRing0, java).long_where(Platform::is_pc),
        Check::new("node_goes_by_them", GuestsAtRing0, node).long_where(Platform::is_pc),
        Check::new("go_goes_by_them", GuestsAtRing0, go),
        Check::new("no_more_processors_than_given", Guests, busy),
    ])
}

/// Machines that differ in both.
const MACHINES: [(&str, u64); 2] = [("160M", 1), ("300M", 2)];
const LIMIT: Duration = Duration::from_secs(180);

fn guest(platform: Platform, memory: &str, count: u64) -> Guest {
    Guest::new(platform).limit(LIMIT).option("--memory").option(memory).option("--cpus").option(count.to_string())
}

fn run(platform: Platform, (memory, count): (&str, u64), words: &[&str]) -> Outcome {
    let outcome = guest(platform, memory, count).run(words);
    outcome.expect_status(0);
    outcome
}

/// What a machine with so much has for programs: on pc the kernel's own image is not among it.
fn expect_memory(bytes: u64, memory: &str) {
    let given = memory.trim_end_matches('M').parse::<u64>().unwrap() << 20;
    assert!(bytes <= given && bytes > given - (8 << 20), "{bytes} of {given} bytes");
}

fn number(text: &str) -> u64 {
    text.trim().parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

fn cat(platform: Platform, machine: (&str, u64), file: &str) -> String {
    run(platform, machine, &["/bin/busybox", "cat", file]).text()
}

fn files(platform: Platform) {
    for machine @ (memory, count) in MACHINES {
        let files = ["memory.max", "cpu.max", "cpuset.cpus.effective"].map(|name| format!("/sys/fs/cgroup/{name}"));
        let files = [&files[0], &files[1], &files[2], "/proc/self/cgroup", "/proc/self/mountinfo"];
        let told = run(platform, machine, &[&["/bin/busybox", "cat"][..], &files].concat()).text();
        let lines: Vec<_> = told.lines().collect();
        expect_memory(number(lines[0]), memory);
        assert_eq!(lines[1], format!("{count}00000 100000"));
        assert_eq!(lines[2], if count == 1 { "0" } else { "0-1" });
        assert_eq!(lines[3], "0::/");
        assert!(lines[4..].iter().any(|line| line.ends_with("0:7 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw")));

        let memory_told = cat(platform, machine, "/proc/meminfo");
        let total = memory_told.lines().next().and_then(|line| line.split_whitespace().nth(1)).unwrap();
        assert_eq!(number(total) << 10, number(lines[0]), "the one file, and the other");
        let processors = cat(platform, machine, "/proc/cpuinfo");
        assert_eq!(processors.lines().filter(|line| line.starts_with("processor\t")).count() as u64, count);
    }
}

fn threads(platform: Platform) {
    need(&["taskset"]);
    for machine @ (_, count) in MACHINES {
        assert_eq!(number(&run(platform, machine, &["/usr/bin/nproc"]).text()), count);
        let status = cat(platform, machine, "/proc/self/status");
        let expected = if count == 1 { "1\nCpus_allowed_list:\t0\n" } else { "3\nCpus_allowed_list:\t0-1\n" };
        assert!(status.contains(&format!("Cpus_allowed:\t{expected}")), "{status}");
    }
    let confined = run(platform, MACHINES[1], &["/usr/bin/taskset", "2", "grep", "Cpus_allowed", "/proc/self/status"]);
    assert_eq!(confined.text(), "Cpus_allowed:\t2\nCpus_allowed_list:\t1\n");
}

fn java(platform: Platform) {
    need(&["java"]);
    // Of little memory its heap is a half at most, and of more a quarter.
    for (machine @ (memory, count), part) in [(("160M", 1), 2), (("1200M", 2), 4)] {
        let words = ["java", "-XshowSettings:system", "-XX:+PrintFlagsFinal", "-version"];
        let outcome = run(platform, machine, &words);
        let (settings, flags) = (outcome.error_text(), outcome.text());
        assert!(settings.contains("Provider: cgroupv2"), "{settings}");
        assert!(settings.contains(&format!("Effective CPU Count: {count}")), "{settings}");
        let heap = flags.lines().find(|line| line.contains(" MaxHeapSize ")).expect("a heap has a size");
        let heap = number(heap.split_whitespace().nth(3).unwrap());
        expect_memory(heap * part, memory);
    }
}

fn node(platform: Platform) {
    need(&["node"]);
    let script = "const os = require('os'); \
                  console.log(os.availableParallelism(), os.cpus().length, os.totalmem(), process.constrainedMemory())";
    for machine @ (memory, count) in MACHINES {
        let told = run(platform, machine, &["node", "-e", script]).text();
        let numbers: Vec<_> = told.split_whitespace().map(number).collect();
        assert_eq!(numbers[..2], [count, count]);
        numbers[2..].iter().for_each(|&bytes| expect_memory(bytes, memory));
    }
}

fn go(platform: Platform) {
    let program = Unmodified { folder: "limits-go", build: Build::Go }.path().display().to_string();
    for machine @ (_, count) in MACHINES {
        assert_eq!(run(platform, machine, &[&program]).text(), format!("{count} {count}\n"));
    }
}

/// Four threads that compute get the processors that the machine has, and no more of the host's.
fn busy(platform: Platform) {
    let program = processors(LibC::Glibc);
    let running = guest(platform, "160M", 1).start(&[program.to_str().unwrap(), "computing"]);
    running.wait_for_output("computing", LIMIT);
    let (since, before) = (Instant::now(), processor_time(running.id()));
    std::thread::sleep(Duration::from_secs(1));
    let taken = processor_time(running.id()) - before;
    let passed = since.elapsed();
    assert!(taken <= passed * 5 / 4, "{taken:?} of processors in {passed:?}");
}
