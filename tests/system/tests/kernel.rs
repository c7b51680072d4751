//! The kernel seen from outside: tracing, page tables, its own death, the debugger.

use std::collections::BTreeSet;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::Signal;
use system_tests::{
    Build, Check, Guest, LibC, Platform, Running, Scope, Terminal, Unmodified, need, project_root, scratch, selftest,
};

fn main() -> ExitCode {
    use Scope::{Guests, GuestsAtRing0, Machines};
    system_tests::run(&[
        Check::new("trace_matches_strace", Guests, trace),
        Check::new("trace_of_faults", Guests, trace_of_faults),
        Check::new("page_tables_keep_the_rules", Machines, audit),
        Check::new("panic_is_reported_with_names", Guests, panic),
        Check::new("fault_is_reported_with_names", Guests, fault),
        Check::new("small_stack", Guests, small_stack),
        Check::new("gdb_stops_in_kernel_and_program", Guests, gdb),
        Check::new("gdb_lets_go", GuestsAtRing0, gdb_lets_go),
        Check::new("gdb_never_comes", GuestsAtRing0, gdb_never_comes),
        Check::new("the_wall_clock_is_the_hosts", GuestsAtRing0, exact_wall_clock),
        Check::new("the_wall_clock_follows_the_hosts", GuestsAtRing0, wall_clock),
        Check::new("verbose_names_unknown_system_calls", Guests, verbose),
        Check::new("quiet_unless_asked", Guests, quiet),
        Check::new("least_memory", Machines, least_memory),
    ])
}

const LIMIT: Duration = Duration::from_secs(400);

const ECHO: [&str; 3] = ["/bin/busybox", "echo", "hello"];

/// The names of the calls in a listing of lines `name(arguments) = result`.
fn names(listing: &str) -> Vec<String> {
    let name = |line: &str| {
        let (name, _) = line.split_once('(')?;
        let name = name.rsplit(' ').next().unwrap_or(name);
        let plain = !name.is_empty()
            && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
        plain.then(|| name.to_string())
    };
    listing.lines().filter_map(name).collect()
}

fn trace(platform: Platform) {
    need(&["strace"]);
    let folder = scratch();
    let file = folder.path().join("strace");
    let mut strace = Command::new("strace");
    strace.arg("-o").arg(&file).args(ECHO).env_clear().env("PATH", "/bin").env("HOME", "/").env("TZ", "UTC0");
    assert!(strace.output().unwrap().status.success());
    let host = std::fs::read_to_string(&file).unwrap();
    let outcome = Guest::new(platform).option("--trace").option("syscalls").run(&ECHO);
    outcome.expect_status(0);
    assert_eq!(outcome.text(), "hello\n");
    let ours = outcome.error_text();
    // strace shows the execve that started the program; inside there is none.
    let set = |listing: &str| names(listing).into_iter().filter(|name| name != "execve").collect::<BTreeSet<_>>();
    assert_eq!(set(&ours), set(&host), "\n--- ours:\n{ours}--- strace:\n{host}");
    // Arguments and results are decoded as strace does.
    for wanted in ["write(1, \"hello\\n\", 6)", "exit_group(0)", "brk(NULL)", "arch_prctl(ARCH_SET_FS, 0x", "PROT_READ"]
    {
        assert!(host.contains(wanted), "{host}");
        assert!(ours.contains(wanted), "{wanted} is not in\n{ours}");
    }
    assert!(ours.lines().any(|line| line.contains("write(1, \"hello\\n\", 6)") && line.ends_with("= 6")), "{ours}");
    // A failing call is named with its error, as in `= -1 ENOENT (No such file or directory)`.
    let outcome = Guest::new(platform).option("--trace").option("syscalls").run(&["/bin/busybox", "cat", "/absent"]);
    outcome.expect_status(1);
    let line = outcome.error_text();
    assert!(line.contains("\"/absent\", O_RDONLY") && line.contains("= -1 ENOENT"), "{line}");
}

fn trace_of_faults(platform: Platform) {
    let outcome = Guest::new(platform).option("--trace").option("faults").run(&ECHO);
    outcome.expect_status(0);
    assert_eq!(outcome.text(), "hello\n");
    // On process the host resolves page faults itself, so only those that are the program's own fault are seen.
    let lines = outcome.error_text().lines().filter(|line| line.contains("0x")).count();
    assert!(lines > 5 || platform == Platform::Process, "{}", outcome.error_text());
}

fn audit(platform: Platform) {
    for words in [&ECHO[..], &[selftest(LibC::GlibcPie).to_str().unwrap(), "code_written_at_run_time", "protection"]] {
        let outcome = Guest::new(platform).option("--audit").run(words);
        outcome.expect_status(0);
        let error = outcome.error_text();
        assert!(error.is_empty() || error.to_lowercase().contains("audit"), "{error}");
    }
}

fn died(platform: Platform, how: &str) -> String {
    let outcome = Guest::new(platform).option("--inject").option(how).run(&ECHO);
    outcome.expect_status(125);
    assert_eq!(outcome.text(), "");
    let report = outcome.error_text();
    for word in ["rip", "rsp", "rax", "backtrace", "0x"] {
        assert!(report.to_lowercase().contains(word), "no {word:?} in\n{report}");
    }
    // Names of our own crates, each with its path: the backtrace is symbolised.
    let backtrace = report.to_lowercase();
    let backtrace = &backtrace[backtrace.find("backtrace").unwrap()..];
    assert!(["kernel::", "linux::", "process::", "pc::"].iter().any(|path| backtrace.contains(path)), "{report}");
    report
}

fn panic(platform: Platform) {
    let report = died(platform, "panic");
    assert!(report.contains("panic"), "{report}");
}

fn fault(platform: Platform) {
    let report = died(platform, "fault").to_lowercase();
    assert!(report.contains("fault"), "{report}");
}

/// Deep structures with 16 KB of the kernel's stack, so that a recursion whose depth a program chooses shows by tens of
/// steps; among them directories of somebody else's, which one who goes down there has asked the host for.
fn small_stack(platform: Platform) {
    const LEVELS: &str = "500";
    let program = Unmodified { folder: "depths", build: Build::C(LibC::Glibc) }.path();
    let program = program.to_str().unwrap();
    let folder = scratch();
    let place = folder.path().to_str().unwrap();
    let natively = |act: &str| {
        let guest = Guest::new(Platform::Native).variable("DEPTHS_BELOW", place).variable("DEPTHS_LEVELS", LEVELS);
        guest.variable("DEPTHS_DO", act).run(&[program, "directories_below"]).expect_status(0);
    };
    natively("make");
    let spent = if platform.is_pc() { "stack-16384" } else { "stack-49152" };
    let run = |guest: Guest| {
        let guest = guest.variable("DEPTHS_BELOW", place).variable("DEPTHS_LEVELS", LEVELS).limit(LIMIT);
        let outcome = guest.option("--inject").option(spent).run(&[program, "--work", "20"]);
        assert!(
            outcome.status == 0 && outcome.text().lines().last().is_some_and(|line| line.ends_with(" checks passed")),
            "status {}\n{}\n{}",
            outcome.status,
            outcome.text(),
            outcome.error_text(),
        );
    };
    run(Guest::new(platform));
    run(Guest::new(platform).share(folder.path()));
    natively("remove");
}

fn gdb(platform: Platform) {
    need(&["gdb"]);
    let program = selftest(LibC::Glibc);
    let running = Guest::new(platform).option("--gdb").start(&[program.to_str().unwrap(), "--show", "debugged"]);
    let line = running.wait_for_error("add-symbol-file", Duration::from_secs(60));
    let line = line.lines().find(|line| line.starts_with("gdb ")).expect("the line to type").to_string();
    // What the line does, then: stop at the kernel's system call and at the program's main, and go on to the end.
    // On process the program's pages are not there yet when the breakpoint is set.
    let stop = if platform == Platform::Process { "hbreak -qualified main" } else { "break -qualified main" };
    let commands = [
        "set breakpoint pending off",
        "set confirm off",
        "set pagination off",
        stop,
        "continue",
        "backtrace 1",
        "delete",
        "set language rust",
        "break linux::objects::descriptors::description::Description::write_from",
        "continue",
        "backtrace 3",
        "delete",
        "continue",
    ];
    let commands: String = commands.iter().map(|command| format!(" -ex '{command}'")).collect();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{line} -nx -batch{commands}"));
    let debugger = Running::start(shell, Some(Vec::new())).finish(Duration::from_secs(90));
    let (said, warned) = (debugger.text(), debugger.error_text());
    let outcome = running.finish(Duration::from_secs(20));
    assert!(said.contains(", main ("), "no stop in the program:\n{said}\n{warned}");
    assert!(said.contains("linux::objects"), "no stop in the kernel:\n{said}\n{warned}");
    outcome.expect_status(0);
    assert!(outcome.text().contains("argument debugged\n"));
}

/// The command that has a machine wait for a debugger.
fn held(platform: Platform, words: &[&str]) -> Command {
    let name = if platform.is_pc() { "pc" } else { "process" };
    let mut command = system_tests::whittle();
    command.args(["run", "--platform", name, "--gdb"]).args(words).current_dir(project_root());
    command
}

/// Tells the time to whoever comes.
const CLOCK: &str = r#"
import socket, time
listener = socket.create_server(("0.0.0.0", 80))
while True:
    stream, _ = listener.accept()
    stream.sendall(str(time.time()).encode())
    stream.close()
"#;

fn since_1970() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later").as_secs_f64()
}

/// Seconds by which the program's clock lies outside of the moments of the question and the answer.
fn wrong_by(port: u16) -> Option<f64> {
    let before = since_1970();
    let mut told = String::new();
    TcpStream::connect(("127.0.0.1", port)).ok()?.read_to_string(&mut told).ok()?;
    let told: f64 = told.parse().ok()?;
    Some((before - told).max(told - since_1970()).max(0.0))
}

/// A machine with such options that tells the time at a port.
fn clock(platform: Platform, options: &[&str]) -> (Running, u16) {
    const PYTHON: &str = "/usr/bin/python3";
    need(&[PYTHON]);
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap().port();
    let guest = Guest::new(platform).option("-p").option(format!("127.0.0.1:{port}:80"));
    let guest = options.iter().fold(guest, |guest, option| guest.option(option));
    (guest.start(&[PYTHON, "-c", CLOCK]), port)
}

/// Asks until the time is wrong by less than so many seconds.
fn comes_within(least: f64, running: &Running, port: u16) {
    let until = Instant::now() + Duration::from_secs(90);
    let mut last = None;
    while Instant::now() < until {
        last = wrong_by(port);
        if last.is_some_and(|seconds| seconds < least) {
            running.signal(Signal::KILL);
            return;
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    panic!("the clock is wrong by {last:?} s");
}

/// A machine is told the time before it starts, which takes some hundredths of a second: it is told again.
fn exact_wall_clock(platform: Platform) {
    let (running, port) = clock(platform, &[]);
    comes_within(0.02, &running, port);
}

/// While a debugger has a machine its counter stands still, as it does while the host sleeps. A process' does not.
fn wall_clock(platform: Platform) {
    const STOPPED: Duration = Duration::from_secs(6);
    need(&["gdb"]);
    let (running, port) = clock(platform, &["--gdb"]);
    let line = running.wait_for_error("add-symbol-file", Duration::from_secs(60));
    let line = line.lines().find(|line| line.starts_with("gdb ")).expect("the line to type").to_string();
    std::thread::sleep(STOPPED);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{line} -nx -batch -ex detach"));
    let _ = Running::start(shell, Some(Vec::new())).finish(Duration::from_secs(90));
    comes_within(STOPPED.as_secs_f64() / 3.0, &running, port);
}

/// Nothing runs before the debugger comes, be the image native or not, and everything goes on when it has gone.
fn gdb_lets_go(platform: Platform) {
    need(&["gdb"]);
    let script = "trap 'echo heard; exit 3' TERM; echo ready; while :; do :; done";
    for (words, output, status) in [
        (&["--", "/bin/busybox", "echo", "hello"][..], "hello\n", 0),
        (&["--", "/bin/busybox", "sh", "-c", script], "ready\nheard\n", 3),
        (&["apps/hello-native"], "Hello, world!\n", 0),
    ] {
        let running = Running::start(held(platform, words), None);
        let line = running.wait_for_error("set substitute-path /whittle ", LIMIT);
        let line = line.lines().find(|line| line.starts_with("gdb ")).expect("the line to type").to_string();
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{line} -nx -batch -ex 'info symbol $pc' -ex detach"));
        let debugger = Running::start(shell, Some(Vec::new())).finish(Duration::from_secs(90));
        let first = if platform.is_pc() { "0x000000000000fff0" } else { "_start" };
        assert!(debugger.text().contains(first), "not at the first instruction: {}", debugger.text());
        if status != 0 {
            // Signals are the program's again.
            running.wait_for_output("ready\n", Duration::from_secs(60));
            running.signal(Signal::TERM);
        }
        let outcome = running.finish_with_open_input(Duration::from_secs(60));
        outcome.expect_status(status);
        assert_eq!(outcome.text(), output);
    }
}

/// A machine that waits for a debugger ends by a signal from outside and by Ctrl-C, as a program would.
fn gdb_never_comes(platform: Platform) {
    let linux = ["--", "/bin/busybox", "echo", "hello"];
    for words in [&linux[..], &["apps/hello-native"]] {
        for (signal, number) in [(Signal::TERM, 15), (Signal::INT, 2)] {
            // A background job of a script begins with SIGINT ignored.
            let held = held(platform, words);
            let mut command = Command::new("env");
            command
                .args(["--ignore-signal=INT".as_ref(), held.get_program()])
                .args(held.get_args())
                .current_dir(project_root());
            let running = Running::start(command, None);
            running.wait_for_error("\ngdb ", LIMIT);
            if platform.is_pc() {
                // What ends no program ends no machine.
                running.signal(Signal::CONT);
            }
            running.signal(signal);
            let outcome = running.finish_with_open_input(Duration::from_secs(60));
            outcome.expect_status(128 + number);
            assert_eq!(outcome.text(), "");
        }
    }
    let terminal = Terminal::open(200, 24, &Guest::new(platform).option("--gdb").command(&linux[1..]));
    terminal.wait_for("gdb '");
    terminal.keys(&["C-c"]);
    terminal.expect_end(128 + 2);
}

fn verbose(platform: Platform) {
    let program = selftest(LibC::Glibc);
    let outcome = Guest::new(platform).option("--verbose").run(&[program.to_str().unwrap(), "unknown_calls"]);
    outcome.expect_status(0);
    let error = outcome.error_text();
    assert_eq!(error.lines().filter(|line| line.contains("1000")).count(), 1, "named once:\n{error}");
}

fn quiet(platform: Platform) {
    let program = selftest(LibC::Glibc);
    Guest::new(platform).run(&[program.to_str().unwrap(), "unknown_calls"]).expect_output("ok unknown_calls\nPASS 1\n");
}

fn least_memory(platform: Platform) {
    // The figure is for the book (docs/src/figures.md); here only that little memory is enough.
    let guest = Guest::new(platform).option("--memory").option("8M");
    guest.run(&ECHO).expect_output("hello\n");
}
