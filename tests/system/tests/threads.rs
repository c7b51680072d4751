//! Programs of many threads, unmodified: POSIX, C++, OpenMP, Rust and Go, signals, time, stress, computing.
//!
//! Each program proves itself on Linux first (`NAME_natively`, on all processors and on one), and what its last line
//! says there it must say on every platform, on one processor and on two. `WHITTLE_TEST_ALL=1` runs them at full
//! length.

use std::collections::HashMap;
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::time::Duration;

use system_tests::{Build, Check, Guest, LibC, Outcome, Platform, Running, Scope, Unmodified, all, need};

const fn c(folder: &'static str, library: LibC) -> Unmodified {
    Unmodified { folder, build: Build::C(library) }
}

const fn other(folder: &'static str, build: Build) -> Unmodified {
    Unmodified { folder, build }
}

/// One of each kind, which runs at ring 3 too, and others of its kind.
const PROGRAMS: [(Unmodified, &[Unmodified]); 13] = [
    (c("threads", LibC::Glibc), &[c("threads", LibC::GlibcPie), c("threads", LibC::Musl)]),
    (c("signals", LibC::Glibc), &[c("signals", LibC::Musl)]),
    (c("events", LibC::Glibc), &[c("events", LibC::Musl)]),
    (c("system-calls", LibC::Glibc), &[c("system-calls", LibC::Musl)]),
    (c("depths", LibC::Glibc), &[]),
    (c("mappings", LibC::Glibc), &[c("mappings", LibC::Musl)]),
    (c("memory", LibC::Glibc), &[]),
    (c("stress", LibC::Musl), &[c("stress", LibC::Glibc)]),
    (other("exceptions", Build::Cpp), &[]),
    (other("openmp", Build::OpenMp), &[]),
    (other("compute", Build::OpenMp), &[]),
    (other("threads-rust", Build::Rust), &[]),
    (other("threads-go", Build::Go), &[]),
];

fn main() -> ExitCode {
    let mut checks = Vec::new();
    for (first, more) in PROGRAMS {
        checks.extend(checks_of(first, Scope::Guests));
        more.iter().for_each(|program| checks.extend(checks_of(*program, Scope::GuestsAtRing0)));
    }
    checks.push(Check::new("ends_of_threads_natively", Scope::Once, |_| ends(Platform::Native, None)));
    for processors in [1, 2] {
        let name = on("ends_of_threads", processors);
        checks.push(Check::new(name, Scope::Guests, move |platform| ends(platform, Some(processors))));
    }
    system_tests::run(&checks)
}

fn on(name: &str, processors: usize) -> String {
    format!("{name}_on_{processors}_cpu{}", if processors == 1 { "" } else { "s" })
}

fn checks_of(program: Unmodified, scope: Scope) -> [Check; 3] {
    let name = program.name();
    [
        Check::new(format!("{name}_natively"), Scope::Once, move |_| natively(program)),
        Check::new(on(&name, 1), scope, move |platform| as_natively(program, platform, 1)),
        Check::new(on(&name, 2), scope, move |platform| as_natively(program, platform, 2)),
    ]
}

/// No program measures time; this is only for one that hangs, on a machine that is emulated and busy.
const LIMIT: Duration = Duration::from_secs(900);

/// What the program is told about how much to do: an emulated machine is some tens of times slower.
fn words(program: Unmodified, platform: Platform) -> Vec<&'static str> {
    match (program.folder, all()) {
        ("stress", true) => vec!["600", "1"],
        ("stress", false) => vec!["2", "1"],
        ("compute", true) => vec!["--work", "10"],
        ("compute", false) => vec!["--work", "1"],
        (_, true) => vec!["--work", "100"],
        (_, false) if platform == Platform::Native => vec!["--work", "50"],
        (_, false) if platform.is_pc() => vec!["--work", "3"],
        (_, false) => vec!["--work", "20"],
    }
}

/// The last line of a run that went well: programs say there that they did all, and their sums.
#[track_caller]
fn last_line(program: Unmodified, outcome: &Outcome) -> String {
    let text = outcome.text();
    let end: Vec<&str> = text.lines().rev().take(3).collect();
    assert!(
        outcome.status == 0 && !outcome.timed_out && outcome.error.is_empty(),
        "{}: status {}{}, last lines, the latest first: {end:#?}\n{}",
        program.name(),
        outcome.status,
        if outcome.timed_out { " (time limit)" } else { "" },
        outcome.error_text(),
    );
    if program.folder == "stress" {
        let markers = text.lines().filter(|line| matches!(*line, "stress: begin" | "stress: end"));
        assert!(markers.eq(["stress: begin", "stress: end"]), "{text}");
    }
    let line = end.first().expect("a program prints something").to_string();
    let said = [" checks passed", "joined and freed"].iter().any(|words| line.ends_with(words));
    assert!(said || program.folder == "compute" && line.starts_with("compute: matrix "), "not a last line: {line}");
    line
}

/// What Linux makes of the program with these words; each is run once.
fn expected(program: Unmodified, words: &[&'static str]) -> String {
    type Key = (String, Vec<&'static str>);
    static KNOWN: Mutex<Option<HashMap<Key, String>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let line = || {
        let path = program.path();
        let all = [&[path.to_str().unwrap()], words].concat();
        last_line(program, &Guest::new(Platform::Native).limit(LIMIT).run(&all))
    };
    known.get_or_insert_default().entry((program.name(), words.to_vec())).or_insert_with(line).clone()
}

fn natively(program: Unmodified) {
    need(&["taskset"]);
    let words = words(program, Platform::Native);
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(program.path()).args(&words);
    let on_one = Running::start(command, Some(Vec::new())).finish(LIMIT);
    assert_eq!(last_line(program, &on_one), expected(program, &words), "on one processor, and on all");
}

fn as_natively(program: Unmodified, platform: Platform, processors: usize) {
    let path = program.path();
    let words = words(program, platform);
    let guest = Guest::new(platform).limit(LIMIT).option("--cpus").option(processors.to_string());
    let outcome = guest.run(&[&[path.to_str().unwrap()], &words[..]].concat());
    assert_eq!(last_line(program, &outcome), expected(program, &words));
    if program.folder == "stress" {
        memory_is_as_before(&outcome.text());
    }
}

/// Kilobytes that page frames may differ by: random addresses lie in more or fewer page tables. A frame lost in one
/// round of twenty is more.
const FRAMES: u64 = 96;
/// Kilobytes that the kernel's heap may: ten bytes lost in each round are more.
const HEAP: u64 = 16;

/// What the stress program said of the kernel's memory at its end is what it said at its beginning.
#[track_caller]
fn memory_is_as_before(text: &str) {
    let kilobytes = |when: &str| -> [u64; 2] {
        let line = text.lines().find(|line| line.ends_with(when)).unwrap_or_else(|| panic!("no line {when}: {text}"));
        let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        numbers.try_into().expect("figures of frames and heap")
    };
    let (begin, end) = (kilobytes(" at the begin"), kilobytes(" at the end"));
    for (kind, index, most) in [("page frames", 0, FRAMES), ("heap", 1, HEAP)] {
        let (begin, end) = (begin[index], end[index]);
        assert!(end <= begin + most, "the kernel's {kind} grew from {begin} kB to {end} kB\n{text}");
    }
}

/// Each way in which one of several threads ends the process, and the status of that end.
const ENDS: [(&str, i32); 7] =
    [("term", 143), ("fault", 139), ("exit", 7), ("abort", 134), ("real-time", 168), ("last", 0), ("another", 9)];

fn ends(platform: Platform, processors: Option<usize>) {
    for library in [LibC::Glibc, LibC::Musl] {
        let path = c("signals", library).path();
        for (way, status) in ENDS {
            let mut guest = Guest::new(platform).limit(LIMIT);
            if let Some(processors) = processors {
                guest = guest.option("--cpus").option(processors.to_string());
            }
            guest.run(&[path.to_str().unwrap(), "--end", way]).expect_status(status);
        }
    }
}
