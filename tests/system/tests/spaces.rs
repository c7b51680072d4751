//! Several address spaces in one kernel: `programs/two-spaces` is an application in the place of the Linux layer, whose
//! threads run at the same addresses of several spaces.

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use system_tests::{Check, Guest, Platform, Running, Scope, project_root};

fn main() -> ExitCode {
    let on = |processors: &'static str| move |platform| spaces(platform, &["--cpus", processors]);
    let trapping =
        |processors: &'static str| move |platform| spaces(platform, &["--cpus", processors, "--syscalls", "trap"]);
    system_tests::run(&[
        Check::new("spaces_are_apart_on_1_cpu", Scope::Guests, on("1")),
        Check::new("spaces_are_apart_on_2_cpus", Scope::Guests, on("2")),
        Check::new("spaces_are_apart_on_5_cpus", Scope::Once, on("5")),
        Check::new("spaces_whose_calls_trap_are_apart_on_1_cpu", Scope::Once, trapping("1")),
        Check::new("spaces_whose_calls_trap_are_apart_on_2_cpus", Scope::Once, trapping("2")),
        Check::new("a_second_space_ends_the_machine", Scope::Guests, second_ends),
        Check::new("a_process_that_is_killed_ends_the_machine", Scope::Once, killed),
        Check::new("no_process_is_left_without_the_first", Scope::Once, orphans),
    ])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);

fn image() -> String {
    project_root().join("tests/system/programs/two-spaces").display().to_string()
}

fn spaces(platform: Platform, options: &[&str]) {
    let guest = options.iter().fold(Guest::new(platform).limit(BUILD), |guest, option| guest.option(*option));
    // The command wants a program for what is no native image; this application reads none.
    let outcome = guest.run(&[&image(), "/bin/busybox"]);
    outcome.expect_status(0);
    let text = outcome.text();
    assert!(text.starts_with("two-spaces: ") && text.ends_with(" checks passed\n"), "{text}");
}

fn second_ends(platform: Platform) {
    for processors in ["1", "2"] {
        let guest = Guest::new(platform).limit(BUILD).option("--cpus").option(processors);
        guest.run(&[&image(), "/bin/busybox", "ends"]).expect_status(7);
    }
}

/// A machine that makes spaces for ever, and its processes of the host's: the first one, and others.
fn begun() -> (Running, Pid, Vec<Pid>) {
    let guest = Guest::new(Platform::Process).option("--cpus").option("2");
    let running = guest.start(&[&image(), "/bin/busybox", "stays"]);
    running.wait_for_output("a round", BUILD);
    let first = children(running.id())[0];
    loop {
        let others = children(first.as_raw_pid());
        if others.len() > 1 {
            return (running, first, others);
        }
    }
}

/// The children of a process, by whatever thread of it they were made.
fn children(process: i32) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("the process is there");
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    let lists: Vec<String> = lists.collect();
    let numbers = lists.iter().flat_map(|list| list.split(' ')).filter_map(|word| word.parse().ok());
    numbers.filter_map(Pid::from_raw).collect()
}

fn killed(_: Platform) {
    let (running, _, others) = begun();
    // All of them: one may be about to end by itself, and is none to be missed.
    others.into_iter().for_each(|process| _ = kill_process(process, Signal::KILL));
    let outcome = running.finish(Duration::from_secs(60));
    outcome.expect_status(125);
    let sentence = outcome.error_text();
    assert!(sentence.contains("a process of this machine was ended by signal 9"), "{sentence}");
}

fn orphans(_: Platform) {
    let (running, first, _) = begun();
    let others = children(first.as_raw_pid());
    kill_process(first, Signal::KILL).expect("the first one is there");
    running.finish(Duration::from_secs(60)).expect_status(125);
    let lives = |process: &Pid| {
        let status = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_pid())).unwrap_or_default();
        // Behind the name: the state. One that has ended may wait for its new parent to notice.
        status.contains("two-spaces") && !status.contains(") Z ")
    };
    let limit = Instant::now() + Duration::from_secs(60);
    while others.iter().any(lives) {
        assert!(Instant::now() < limit, "{others:?} go on without the first process");
        std::thread::sleep(Duration::from_millis(1));
    }
}
