//! The self-tests that programs carry, for each C library and for Rust, and the examples.

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Guest, LibC, Platform, Scope, example, rust_selftest, selftest};

fn main() -> ExitCode {
    use Scope::{Everywhere, Usual};
    system_tests::run(&[
        Check::new("selftest_glibc", Everywhere, |platform| whole(platform, LibC::Glibc)).long_where(starves),
        Check::where_wanted("selftest_glibc_pie", Everywhere, wants_every_linking, |platform| {
            whole(platform, LibC::GlibcPie)
        }),
        Check::new("selftest_musl", Everywhere, |platform| whole(platform, LibC::Musl)).long_where(starves),
        Check::where_wanted("selftest_musl_pie", Everywhere, wants_every_linking, |platform| {
            whole(platform, LibC::MuslPie)
        }),
        Check::new("selftest_rust", Everywhere, rust),
        Check::new("exec_chain", Usual, exec_chain),
        Check::new("addresses_are_random", Usual, addresses_are_random),
        Check::new("example_hello", Everywhere, hello),
        Check::new("example_hello_from_its_folder", Scope::Guests, hello_folder),
    ])
}

const LIMIT: Duration = Duration::from_secs(400);

/// What is run on a KVM: one that emulates ring 0 takes a quarter of a millisecond for a page fault, and minutes for
/// what touches all memory or makes a million calls.
const BRIEF: [&str; 26] = [
    "arguments",
    "environment",
    "auxiliary_vector",
    "thread_local_storage",
    "data_and_bss",
    "program_break",
    "map_and_unmap",
    "protection",
    "remapping",
    "file_mapping",
    "code_written_at_run_time",
    "write_seek_read",
    "rename_and_unlink",
    "pipe_bytes",
    "polling",
    "clocks",
    "interval_timer",
    "read_of_nothing",
    "write_to_constant",
    "division",
    "illegal_instruction",
    "halt",
    "jumps",
    "alternate_stack",
    "red_zone_across_calls",
    "registers_across_calls",
];

/// Where KVM emulates ring 0 slowly, a timer of milliseconds may leave the program no time between two alarms.
fn starves(platform: Platform) -> bool {
    platform == Platform::KvmRing3
}

/// Where a program is loaded makes no difference to what its ring does, and half a gigabyte is touched each time: ring
/// 3 of a machine gets the programs linked in the usual way.
fn wants_every_linking(platform: Platform) -> bool {
    !matches!(platform, Platform::PcRing3 | Platform::KvmRing3)
}

/// Every test of the program must say ok: the failing ones are shown, else the last lines before it died.
fn all_pass(platform: Platform, words: &[&str]) {
    let outcome = Guest::new(platform).limit(LIMIT).run(words);
    let text = outcome.text();
    let failing: Vec<_> = text.lines().filter(|line| line.starts_with("FAIL")).collect();
    let last = text.lines().last().unwrap_or("(no output)");
    assert!(
        outcome.status == 0 && failing.is_empty() && last.starts_with("PASS "),
        "status {}{}\n{}\nlast line: {last}\nstandard error: {}",
        outcome.status,
        if outcome.timed_out { " (time limit)" } else { "" },
        failing.join("\n"),
        outcome.error_text(),
    );
    assert_eq!(outcome.error_text(), "");
}

fn whole(platform: Platform, library: LibC) {
    let program = selftest(library);
    let mut words = vec![program.to_str().unwrap()];
    if platform == Platform::KvmRing3 {
        words.extend(BRIEF);
    }
    all_pass(platform, &words);
}

fn rust(platform: Platform) {
    let program = rust_selftest();
    let name = program.to_str().unwrap();
    // It touches half a gigabyte and all of its stack: see `BRIEF`.
    if platform != Platform::KvmRing3 {
        all_pass(platform, &[name, "argument one", ""]);
        let outcome = Guest::new(platform).run(&[name, "--overflow"]);
        // With musl, Rust's own handler does not know the main thread's guard page: it dies by the signal, on Linux
        // too.
        outcome.expect_status(139);
    }
    let outcome = Guest::new(platform).run(&[name, "--panic"]);
    outcome.expect_status(101);
    assert!(outcome.error_text().contains("on purpose"), "{}", outcome.error_text());
}

fn exec_chain(platform: Platform) {
    let libraries = if wants_every_linking(platform) { &LibC::ALL[..] } else { &[LibC::Glibc] };
    for &library in libraries {
        all_pass(platform, &[selftest(library).to_str().unwrap(), "--exec"]);
    }
}

fn addresses_are_random(platform: Platform) {
    let address = |library| {
        let outcome = Guest::new(platform).run(&[selftest(library).to_str().unwrap(), "--show"]);
        outcome.expect_status(0);
        let text = outcome.text();
        let places = text.lines().filter(|line| line.starts_with("address ") || line.starts_with("code "));
        places.map(str::to_string).collect::<Vec<_>>()
    };
    let (first, second) = (address(LibC::GlibcPie), address(LibC::GlibcPie));
    assert!(first[0] != second[0], "the stack stays at {}", first[0]);
    assert!(first[1] != second[1], "the program stays at {}", first[1]);
    assert_eq!(address(LibC::Glibc)[1], address(LibC::Glibc)[1], "a program linked for an address is put there");
}

fn hello(platform: Platform) {
    let program = example("hello");
    let name = program.to_str().unwrap();
    Guest::new(platform).run(&[name, "you"]).expect_output("Hello, you! I am a Rust program in a unikernel.\n");
    Guest::new(platform).run(&[name]).expect_output("Hello, world! I am a Rust program in a unikernel.\n");
}

fn hello_folder(platform: Platform) {
    let folder = system_tests::project_root().join("apps/hello");
    let outcome = Guest::new(platform).limit(LIMIT).run(&[folder.to_str().unwrap(), "you"]);
    outcome.expect_status(0);
    assert_eq!(outcome.text(), "Hello, you! I am a Rust program in a unikernel.\n");
}
