//! How programs end, by themselves or by signals, and what the command makes of it.

use std::process::ExitCode;
use std::time::Duration;

use rustix::process::Signal;
use system_tests::{Check, Guest, LibC, Outcome, Platform, Scope, die};

fn main() -> ExitCode {
    use Scope::{Everywhere, Guests, Usual};
    system_tests::run(&[
        Check::new("exit_7", Everywhere, exit_seven),
        Check::new("every_end_is_as_on_linux", Usual, every_end),
        Check::new("null_dereference_is_reported", Guests, null_dereference),
        Check::new("sigterm_reaches_a_handler", Usual, sigterm),
        Check::new("sigterm_reaches_a_computing_program", Usual, sigterm_computing),
        Check::new("sighup_and_sigint_reach_handlers", Usual, sighup_and_sigint),
        Check::new("signals_without_handler_kill", Usual, default_signals),
        Check::new("signals_ignored_from_the_start", Guests, ignored_from_the_start),
        Check::new("second_sigint_ends_the_machine", Guests, second_sigint),
        Check::new("memory_runs_out", Guests, memory_runs_out),
    ])
}

const SOON: Duration = Duration::from_secs(30);

fn end(platform: Platform, library: LibC, how: &[&str]) -> Outcome {
    let program = die(library);
    Guest::new(platform).run(&[&[program.to_str().unwrap()], how].concat())
}

fn exit_seven(platform: Platform) {
    Guest::new(platform).run(&["/bin/busybox", "sh", "-c", "exit 7"]).expect_status(7);
}

fn every_end(platform: Platform) {
    let ends = [
        ("null", 139),
        ("null-call", 139),
        ("wild", 139),
        ("hlt", 139),
        ("illegal", 132),
        ("trap", 133),
        ("divide", 136),
        ("abort", 134),
        ("abort-ignored", 134),
        ("abort-handled", 134),
        ("abort-blocked", 134),
        ("abort-from-hlt", 134),
        ("segv-blocked", 139),
        ("segv-ignored", 139),
        ("kill-late", 137),
        ("term", 143),
        ("kill", 137),
        ("real-time", 168),
        ("exit-high", 255),
        ("exit-thread", 9),
        ("overflow", 139),
        ("pipe", 141),
        ("exit", 0),
    ];
    let mut wrong = Vec::new();
    for (how, status) in ends {
        for library in [LibC::Glibc, LibC::Musl] {
            let outcome = end(platform, library, &[how]);
            if outcome.status != status || !outcome.output.is_empty() {
                let error = outcome.error_text();
                wrong.push(format!("{how} ({library:?}): status {}, expected {status}: {error}", outcome.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn null_dereference(platform: Platform) {
    for library in [LibC::Glibc, LibC::MuslPie] {
        let outcome = end(platform, library, &["null"]);
        outcome.expect_status(139);
        let report = outcome.error_text().to_lowercase();
        for word in ["sigsegv", "address", "0x0", "rip", "rsp", "rax", "r15"] {
            assert!(report.contains(word), "the report lacks {word:?}: {report}");
        }
    }
    let report = end(platform, LibC::Glibc, &["wild"]).error_text().to_lowercase();
    assert!(report.contains("123456789a8"), "the report lacks the address: {report}");
    // A program that ends as it means to gets no report.
    assert_eq!(end(platform, LibC::Glibc, &["exit", "9"]).error_text(), "");
}

fn after_ready(platform: Platform, how: &str, signals: &[Signal]) -> Outcome {
    let program = die(LibC::Glibc);
    // Whoever runs the tests may ignore some themselves.
    let running = Guest::new(platform).signals("--default-signal").start(&[program.to_str().unwrap(), how]);
    running.wait_for_output("ready\n", SOON);
    for (index, signal) in signals.iter().enumerate() {
        if index > 0 {
            std::thread::sleep(Duration::from_millis(200));
        }
        running.signal(*signal);
    }
    running.finish(SOON)
}

fn sigterm(platform: Platform) {
    let outcome = after_ready(platform, "wait", &[Signal::TERM]);
    outcome.expect_status(3);
    assert_eq!(outcome.text(), "ready\nhandled SIGTERM\n");
}

fn sigterm_computing(platform: Platform) {
    let outcome = after_ready(platform, "compute", &[Signal::TERM]);
    outcome.expect_status(3);
    assert_eq!(outcome.text(), "ready\nhandled SIGTERM\n");
}

fn sighup_and_sigint(platform: Platform) {
    for (signal, line) in [(Signal::HUP, "handled SIGHUP\n"), (Signal::INT, "handled SIGINT\n")] {
        let outcome = after_ready(platform, "wait", &[signal]);
        outcome.expect_status(3);
        assert_eq!(outcome.text(), format!("ready\n{line}"));
    }
}

fn default_signals(platform: Platform) {
    for (signal, status) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let how = if signal == Signal::INT { "compute" } else { "ignore-interrupt" };
        after_ready(platform, how, &[signal]).expect_status(status);
    }
}

/// What the command is begun with, the program is: asked, sent, and with a handler after all.
fn ignored_from_the_start(platform: Platform) {
    for option in ["--default-signal", "--ignore-signal=HUP", "--ignore-signal=INT,PIPE,TSTP", "--ignore-signal"] {
        let ignored = |platform| {
            let outcome =
                Guest::new(platform).signals(option).run(&["/bin/busybox", "grep", "SigIgn", "/proc/self/status"]);
            let digits = outcome.expect_status(0).text().trim_start_matches("SigIgn:").trim().to_owned();
            // 32 and 33 are glibc's own, and its posix_spawn ignores them or not; a shell that starts a command takes
            // SIGCHLD back.
            u64::from_str_radix(&digits, 16).unwrap() & !(3 << 31 | 1 << 16)
        };
        assert_eq!(ignored(platform), ignored(Platform::Native), "{option}");
    }
    let begin = |how| {
        let program = die(LibC::Glibc);
        let guest = Guest::new(platform).signals("--ignore-signal=HUP,INT");
        let running = guest.start(&[program.to_str().unwrap(), how]);
        running.wait_for_output("ready\n", SOON);
        running
    };
    let nohup = begin("compute");
    // Two SIGINT soon after each other end no machine either. Signals that wait are handed on by their numbers.
    for signal in [Signal::HUP, Signal::INT, Signal::INT, Signal::TERM] {
        nohup.signal(signal);
        std::thread::sleep(Duration::from_millis(200));
    }
    let outcome = nohup.finish(SOON);
    outcome.expect_status(3);
    assert_eq!(outcome.text(), "ready\nhandled SIGTERM\n");
    let handled = begin("wait");
    handled.signal(Signal::HUP);
    assert_eq!(handled.finish(SOON).expect_status(3).text(), "ready\nhandled SIGHUP\n");
}

fn second_sigint(platform: Platform) {
    after_ready(platform, "ignore-interrupt", &[Signal::INT, Signal::INT]).expect_status(130);
    // A single one is the program's to ignore.
    let program = die(LibC::Glibc);
    let running = Guest::new(platform).start(&[program.to_str().unwrap(), "ignore-interrupt"]);
    running.wait_for_output("ready\n", SOON);
    running.signal(Signal::INT);
    std::thread::sleep(Duration::from_millis(1500));
    running.signal(Signal::TERM);
    running.finish(SOON).expect_status(143);
}

fn memory_runs_out(platform: Platform) {
    // It is told so, or killed with a sentence: it does not hang, and it does not take the command down.
    let ways = [("no-memory", "96M"), ("many-mappings", "8M"), ("many-tables", "96M"), ("refused-memory", "96M")];
    for (how, memory) in ways {
        let program = die(LibC::Musl);
        let guest = Guest::new(platform).option("--memory").option(memory);
        let outcome = guest.run(&[program.to_str().unwrap(), how]);
        let error = outcome.error_text();
        match outcome.status {
            12 => assert_eq!(error, "", "{how}"),
            137 => {
                assert!(error.starts_with("whittle: out of memory: ") && error.lines().count() == 1, "{how}: {error}")
            }
            status => panic!("{how}: status {status}: {error}"),
        }
        assert!(how != "refused-memory" || outcome.status == 12, "{how}: {error}");
    }
}
