//! Processes: `programs/processes.c` says what is not as on Linux, and scripts of shells say the same there and here.

use std::process::{Command, ExitCode};
use std::time::Duration;

use system_tests::{Check, Guest, LibC, Platform, Scope, attributes, crowds, need, processes, sharing};

fn main() -> ExitCode {
    let check = |name, body: fn(Platform)| Check::new(name, Scope::Guests, body);
    system_tests::run(&[
        check("processes_of_glibc", |platform| semantics(platform, LibC::Glibc)),
        check("processes_of_musl", |platform| semantics(platform, LibC::Musl)),
        check("processes_on_2_cpus", on_two),
        Check::new("sharing", Scope::Usual, shares),
        Check::new("attributes", Scope::Usual, shows),
        check("crowds", |platform| crowd(platform, "1", &FEW)),
        check("crowds_on_2_cpus", |platform| crowd(platform, "2", &FEW)),
        check("large_crowds", |platform| crowd(platform, "1", &MANY)).long(),
        check("large_crowds_on_2_cpus", |platform| crowd(platform, "2", &MANY)).long(),
        check("others_change_what_is_copied", meanwhile),
        Check::new("memory_runs_out", Scope::Machines, shortage),
        check("a_trace_names_processes", trace),
        check("scripts_of_busybox", |platform| scripts(platform, "/bin/busybox", &["sh", "-c"])),
        check("scripts_of_dash", |platform| scripts(platform, "dash", &["-c"])),
        check("scripts_of_bash", |platform| scripts(platform, "bash", &["-c"])),
    ])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);

/// The parts of the program, each of which says a line.
const PARTS: [&str; 11] = [
    "forks",
    "waits",
    "child_signals",
    "executes",
    "descriptors",
    "memory",
    "groups",
    "orphans",
    "by_descriptor",
    "threads",
    "many",
];

fn semantics(platform: Platform, library: LibC) {
    expect_all(Guest::new(platform), library);
}

/// The program says the same on Linux.
fn shares(platform: Platform) {
    let guest = Guest::new(platform);
    let guest = if platform == Platform::PcRing3 { guest.option("--cpus").option("2") } else { guest };
    let outcome = guest.limit(BUILD).run(&[sharing().to_str().unwrap()]);
    assert_eq!(outcome.text(), "descriptors: ok\nunshared: ok\nlocks: ok\nplaces: ok\nhandlers: ok\n");
    outcome.expect_status(0);
}

/// What is set of a process is as on Linux, and so is what /proc shows of it, also where no code may be written.
fn shows(platform: Platform) {
    let ways: &[_] = if platform == Platform::PcRing3 { &["trap"] } else { &["rewrite", "trap"] };
    for way in ways {
        let guest = Guest::new(platform).option("--syscalls").option(way);
        let outcome = guest.limit(BUILD).run(&[attributes().to_str().unwrap()]);
        assert_eq!(outcome.text(), "limits: ok\npriorities: ok\ntitles: ok\n", "{way}");
        outcome.expect_status(0);
    }
}

fn on_two(platform: Platform) {
    expect_all(Guest::new(platform).option("--cpus").option("2"), LibC::Glibc);
}

fn expect_all(guest: Guest, library: LibC) {
    let outcome = guest.limit(BUILD).run(&[processes(library).to_str().unwrap()]);
    let wanted: String = PARTS.iter().map(|part| format!("{part}: ok\n")).collect();
    assert_eq!(outcome.text(), wanted);
    outcome.expect_status(0);
}

/// Parts of `programs/crowds.c`, and how many processes each makes; the last takes so many milliseconds.
type Crowd = [(&'static str, u32); 5];
const FEW: Crowd = [("row", 200), ("together", 100), ("killed", 100), ("among_threads", 20), ("bomb", 300)];
const MANY: Crowd = [("row", 10_000), ("together", 500), ("killed", 1000), ("among_threads", 1000), ("bomb", 10_000)];

fn crowd(platform: Platform, processors: &str, parts: &Crowd) {
    let program = crowds();
    let numbers: Vec<_> = parts.iter().map(|(name, number)| (*name, number.to_string())).collect();
    let mut words = vec![program.to_str().unwrap()];
    words.extend(numbers.iter().flat_map(|(name, number)| [*name, number.as_str()]));
    let outcome = Guest::new(platform).option("--cpus").option(processors).limit(BUILD).run(&words);
    let wanted: String = parts.iter().map(|(name, _)| format!("{name}: ok\n")).collect();
    assert_eq!(outcome.text(), wanted, "{}", outcome.error_text());
    outcome.expect_status(0);
}

/// Two processors, of which one makes a process and the other one what changes meanwhile: threads, and the length of a
/// file that is mapped. Only the first process of a machine finds the kernel's memory unshared, so there are several.
fn meanwhile(platform: Platform) {
    let (machines, cuts) = if platform.is_pc() { (1, "20") } else { (20, "100") };
    let program = crowds();
    for words in std::iter::repeat_n(["among_beginners", "2"], machines).chain([["cut", cuts]]) {
        let guest = Guest::new(platform).option("--cpus").option("2").limit(BUILD);
        let outcome = guest.run(&[program.to_str().unwrap(), words[0], words[1]]);
        assert_eq!(outcome.text(), format!("{}: ok\n", words[0]), "{}", outcome.error_text());
        outcome.expect_status(0);
    }
}

/// One process ends when memory runs out, chosen as Linux chooses, and the machine goes on.
fn shortage(platform: Platform) {
    let outcome = Guest::new(platform).option("--memory").option("128M").limit(BUILD).run(&[
        crowds().to_str().unwrap(),
        "shortage",
        "2",
    ]);
    assert_eq!(outcome.text(), "shortage: ok\n", "{}", outcome.error_text());
    outcome.expect_status(0);
    let told = outcome.error_text();
    let ends = told.lines().filter(|line| line.starts_with("whittle: out of memory: process "));
    assert_eq!(ends.count(), 4, "{told}");
}

/// Each line says whose it is, once there are several.
fn trace(platform: Platform) {
    let words = ["/bin/busybox", "sh", "-c", "(exit 3); :"];
    let outcome = Guest::new(platform).option("--trace").option("syscalls").limit(BUILD).run(&words);
    let text = outcome.error_text();
    assert!(text.lines().any(|line| line.starts_with("[2] exit_group(3)")), "{text}");
    assert!(text.starts_with("execve("), "{text}");
}

/// What shells do with processes: pipes, substitutions, jobs, traps, statuses.
const SCRIPTS: [&str; 10] = [
    "ls / | sort -r | tail -n 1; echo $?",
    "echo a b c | tr a-c x-z | sed s/x/1/ | cat | cat | cat | cat | cat",
    "x=$(echo a; echo b); echo \"$x\" | wc -l; (exit 3); echo $?; false | true; echo $?",
    "for i in 1 2 3 4 5 6 7 8 9 10; do n=$(echo $i); s=$((s + n)); done; echo $s",
    "sleep 100 & kill $!; wait $!; echo $?",
    "(trap 'echo caught; exit 7' TERM; kill -TERM $(exec sh -c 'echo $PPID'); sleep 5); echo $?",
    "cat <<end | while read line; do echo \"<$line>\"; done\none\ntwo\nend",
    "echo first & wait; echo second; (sleep 0.01; echo third) & wait $!; echo $?",
    "set -e; true; (set +e; false; echo on); sh -c 'exit 9' || echo failed $?; false; echo never",
    "yes | head -n 3; find /etc/passwd -exec echo found {} ';'; env -i A=1 env; timeout 0.1 sleep 9; echo $?",
];

fn scripts(platform: Platform, shell: &str, options: &[&str]) {
    need(&[shell]);
    for script in SCRIPTS {
        let native = Command::new(shell).args(options).arg(script).output().unwrap();
        let words: Vec<&str> = [shell].iter().chain(options).chain([&script]).copied().collect();
        let outcome = Guest::new(platform).limit(BUILD).run(&words);
        assert_eq!(outcome.text(), String::from_utf8_lossy(&native.stdout), "{script}: {}", outcome.error_text());
        outcome.expect_status(native.status.code().unwrap());
    }
}
