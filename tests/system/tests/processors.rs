//! Programs with threads on several processors: each check on one, two and four, whatever the machine has.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::process::{Command, ExitCode};
use std::time::Duration;

use system_tests::{Check, Guest, LibC, Outcome, Platform, Running, Scope, Tracer, need, processors, symbol};

use rustix::process::Signal;

fn main() -> ExitCode {
    use Scope::Once;
    // No check's time limit meets the building of an image.
    let listing = std::env::args().any(|word| word == "--list");
    if !listing {
        guest("1").limit(Duration::from_secs(900)).run(&["/bin/busybox", "true"]).expect_status(0);
    }
    system_tests::run(&[
        Check::new("locks_and_conditions", Once, |_| all(&["mutexes", "conditions"])),
        Check::new("threads_come_and_go", Once, |_| all(&["creations"])),
        Check::new("registers_go_with_their_thread", Once, |_| all(&["registers"])),
        Check::new("mappings_beside_threads", Once, |_| all(&["mappings"])),
        Check::new("faults_are_the_threads_own", Once, |_| all(&["faults"])),
        Check::new("computing_threads_keep_nobody_waiting", Once, |_| all(&["spinning"])),
        Check::new("signals_reach_computing_threads", Once, |_| all(&["signals"])),
        Check::new("input_while_all_compute", Once, input),
        Check::new("connections_while_all_compute", Once, |_| connections(COMPUTES)),
        Check::new("connections_while_something_is_always_ready", Once, |_| connections(ALWAYS_READY)),
        Check::new("lines_come_whole", Once, lines),
        Check::new("the_end_while_others_run", Once, ending),
        Check::new("records_come_whole", Once, records),
        Check::new("a_processor_dies_alone", Once, death),
        Check::new("signals_from_outside", Once, outside),
        Check::new("on_one_processor_of_the_host", Once, confined),
        Check::new("time_that_others_have_does_not_count", Once, taken_away),
    ])
}

const COUNTS: [&str; 3] = ["1", "2", "4"];

fn guest(count: &str) -> Guest {
    Guest::new(Platform::Process).option("--cpus").option(count)
}

fn words(program: &str, checks: &[&str]) -> Vec<String> {
    std::iter::once(program).chain(checks.iter().copied()).map(str::to_string).collect()
}

/// On each count of processors, and for both C libraries: the program says ok.
fn all(checks: &[&str]) {
    let expected: String = checks.iter().map(|check| format!("ok {check}\n")).collect();
    for library in [LibC::Glibc, LibC::Musl] {
        let program = processors(library);
        let words = words(program.to_str().unwrap(), checks);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for count in COUNTS {
            guest(count).run(&words).expect_output(&expected);
        }
    }
}

fn start(count: &str, check: &str) -> Running {
    guest(count).start(&[processors(LibC::Glibc).to_str().unwrap(), check])
}

fn run(count: &str, check: &str) -> Outcome {
    start(count, check).finish(Duration::from_secs(60))
}

fn input(_: Platform) {
    for count in COUNTS {
        let mut command = Command::new("sh");
        let guest = guest(count).command(&[processors(LibC::Glibc).to_str().unwrap(), "input"]);
        // The byte comes when all have computed for a while.
        command.args(["-c", "(sleep 0.3; echo x) | \"$0\" \"$@\""]).arg(guest.get_program()).args(guest.get_args());
        let outcome = Running::start(command, None).finish(Duration::from_secs(30));
        outcome.expect_output("waiting\ngot it\nok input\n");
    }
}

/// As many threads compute as there are processors, and one waits for a connection.
const COMPUTES: &str = "
import hashlib, os, socket, sys, threading
server = socket.create_server(('', int(sys.argv[1])))
compute = lambda: hashlib.pbkdf2_hmac('sha256', b'', b'', 10**9)
for _ in range(int(sys.argv[2])): threading.Thread(target=compute).start()
print('ready', flush=True)
server.accept()[0].sendall(b'answer')
os._exit(0)
";
/// The only thread asks again and again what has come, and each time something has that it leaves alone.
const ALWAYS_READY: &str = "
import os, select, socket, sys
server = socket.create_server(('', int(sys.argv[1])))
pipe = os.pipe()
os.write(pipe[1], b'x')
poll = select.epoll()
poll.register(pipe[0], select.EPOLLIN)
poll.register(server, select.EPOLLIN)
print('ready', flush=True)
while all(number == pipe[0] for number, _ in poll.poll()): pass
server.accept()[0].sendall(b'answer')
os._exit(0)
";

/// Nobody idles, and still who connects from outside is answered.
fn connections(script: &str) {
    need(&["/usr/bin/python3"]);
    for count in COUNTS {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
        let guest = guest(count).option("-p").option(format!("127.0.0.1:{port}:{port}"));
        let running = guest.start(&["/usr/bin/python3", "-c", script, &port, count]);
        running.wait_for_output("ready", Duration::from_secs(60));
        // So long that nothing is left of what the start had going on.
        std::thread::sleep(Duration::from_millis(300));
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut answer = [0; 6];
        stream.read_exact(&mut answer).unwrap_or_else(|error| panic!("{count} processors: no answer: {error}"));
        assert_eq!(&answer, b"answer");
        running.finish(Duration::from_secs(60)).expect_status(0);
    }
}

fn lines(_: Platform) {
    for count in COUNTS {
        let outcome = run(count, "lines");
        outcome.expect_status(0);
        for text in [outcome.text(), outcome.error_text()] {
            for line in text.lines().filter(|line| !line.starts_with("ok ")) {
                let first = line.chars().next().unwrap();
                assert!(line.len() == 99 && line.chars().all(|letter| letter == first), "{line:?}");
            }
        }
        assert_eq!(outcome.text().lines().count() + outcome.error_text().lines().count(), 801);
    }
}

fn ending(_: Platform) {
    for count in COUNTS {
        let outcome = run(count, "ending");
        outcome.expect_status(7);
        assert_eq!(outcome.text(), "ok ending\n");
    }
}

/// Each trace record is a line of its own, whoever writes beside.
fn records(_: Platform) {
    let program = processors(LibC::Glibc);
    let outcome = guest("4").option("--trace").option("syscalls").run(&[program.to_str().unwrap(), "mappings"]);
    outcome.expect_status(0);
    let error = outcome.error_text();
    let whole =
        |line: &str| line.contains('(') && (line.contains(" = ") || line.ends_with(')')) || line.starts_with("+++ ");
    assert!(error.lines().count() > 5000);
    for line in error.lines() {
        assert!(whole(line), "{line:?}");
    }
}

/// The report of a processor's death is whole while the others run, and names it.
fn death(_: Platform) {
    let program = processors(LibC::Glibc);
    let running = guest("4").option("--gdb").start(&[program.to_str().unwrap(), "computing"]);
    let first = Tracer::attach(&running);
    let process = first.process();
    first.let_go();
    running.wait_for_output("computing\n", Duration::from_secs(30));
    let mut tracer = Tracer::another_thread(process);
    // An instruction in the kernel that is none.
    tracer.divert(symbol("whittle_host_end") - 2);
    tracer.let_go();
    let outcome = running.finish(Duration::from_secs(30));
    outcome.expect_status(125);
    let error = outcome.error_text();
    let start = error.find("on processor ").expect("it names its processor");
    let report: Vec<_> = error[start..].lines().collect();
    assert!(report.len() > 2, "{error}");
    assert!(report[0].ends_with(" of 4") && report[1].starts_with("kernel base"), "{error}");
    assert!(report[2].starts_with("kernel fault: vector 6"), "{error}");
    assert!(report.iter().any(|line| line.ends_with("ss   000000000000002b")), "{error}");
}

/// A signal to the command reaches the program, whichever thread the host gives it to.
fn outside(_: Platform) {
    for count in COUNTS {
        let running = start(count, "input");
        running.wait_for_output("waiting\n", Duration::from_secs(30));
        running.signal(Signal::TERM);
        // The end of the input would race with the signal, and the program would end by itself.
        running.finish_with_open_input(Duration::from_secs(30)).expect_status(143);
    }
}

/// Where the host runs one of our processors at a time, they give way to each other.
fn confined(_: Platform) {
    let program = processors(LibC::Glibc);
    let guest = guest("4").command(&[program.to_str().unwrap(), "mutexes", "conditions", "creations", "registers"]);
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(guest.get_program()).args(guest.get_args());
    let outcome = Running::start(command, None).finish(Duration::from_secs(60));
    outcome.expect_output("ok mutexes\nok conditions\nok creations\nok registers\n");
}

/// The host stops the kernel for a second, as it does for shorter times when others want its processors.
fn taken_away(_: Platform) {
    let running = guest("2").start(&[system_tests::taken().to_str().unwrap()]);
    running.wait_for_output("ready", Duration::from_secs(60));
    let command = running.id();
    let children = std::fs::read_to_string(format!("/proc/{command}/task/{command}/children")).unwrap();
    let kernel = rustix::process::Pid::from_raw(children.trim().parse().expect("one child")).unwrap();
    rustix::process::kill_process(kernel, Signal::STOP).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    rustix::process::kill_process(kernel, Signal::CONT).unwrap();
    // Which stops with its machine.
    running.signal(Signal::CONT);
    let outcome = running.finish(Duration::from_secs(60));
    outcome.expect_status(0);
    assert_eq!(outcome.text(), "ready\nright\nright\nright\n");
}
