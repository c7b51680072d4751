//! From its start to its end, whoever brings that about.

use std::fs;
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use system_tests::{Platform, Running, Terminal, need};

use crate::home::{Home, eventually, free_port, lives};
use crate::{LIMIT, PYTHON};

/// Says hello, and on SIGTERM goodbye with a status of its own.
const POLITE: &str = "\
import signal, sys
def end(*_):
    print('goodbye', flush=True)
    sys.exit(3)
signal.signal(signal.SIGTERM, end)
print('hello', flush=True)
while True: signal.pause()
";

/// Does not care.
const DEAF: &str = "\
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('hello', flush=True)
while True: signal.pause()
";

fn polite(home: &Home, options: &[&str]) {
    need(&[PYTHON]);
    home.detaches("one", &[options, &["--", PYTHON, "-c", POLITE]].concat());
    home.waits_for_log("one", "hello\n");
}

pub fn is_started_found_and_stopped(platform: Platform) {
    let home = Home::new(platform);
    polite(&home, &[]);
    let listed = home.says(&["ps"]);
    assert!(listed.contains("one ") && listed.contains("python3") && listed.contains("running"), "{listed}");
    let taken = home.runs(&["--detach", "--name", "one", "--", PYTHON]).expect_status(125).expect_sentence();
    assert!(taken.contains("the name one is in use") && taken.contains("whittle stop one"), "{taken}");
    let follower = Running::start(home.command(&["logs", "--follow", "one"]), None);
    follower.wait_for_output("hello\n", LIMIT);
    assert_eq!(home.says(&["stop", "one"]), "one ended with status 3\n");
    follower.finish(LIMIT).expect_output("hello\ngoodbye\n");
    assert_eq!(home.says(&["logs", "one"]), "hello\ngoodbye\n");
    assert!(!home.says(&["ps"]).contains("one "));
    let listed = home.says(&["ps", "--all"]);
    assert!(listed.contains("one ") && listed.contains("ended with status 3, "), "{listed}");
    assert_eq!(home.says(&["stop", "--forget", "one"]), "one had ended with status 3\n");
    assert!(home.machines().is_empty() && !home.kept("one").exists());
}

pub fn is_killed(platform: Platform) {
    need(&[PYTHON]);
    let home = Home::new(platform);
    home.detaches("one", &["--restart", "on-failure", "--", PYTHON, "-c", DEAF]);
    home.waits_for_log("one", "hello\n");
    let processes = ["keeper", "machine"].map(|key| home.number("one", key));
    assert_eq!(home.says(&["stop", "--time", "1", "one"]), "one did not end within 1 s and was killed\n");
    assert!(!processes.into_iter().any(lives));
    assert_eq!(home.machine("one").unwrap()["stage"]["ended"]["status"], 137);
    assert_eq!(home.says(&["logs", "one"]), "hello\n", "whoever kills it need not be told");
}

pub fn killed_keeper(platform: Platform) {
    let home = Home::new(platform);
    let file = home.folder().join("pid");
    polite(&home, &["--pid-file", file.to_str().unwrap()]);
    let [keeper, machine] = ["keeper", "machine"].map(|key| home.number("one", key));
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{keeper}\n"));
    kill(keeper);
    eventually("an end of both", || (!lives(keeper) && !lives(machine)).then_some(()));
    assert!(home.machines().is_empty());
    assert!(!home.kept("one").exists() && !file.exists());
    // Its name is free.
    polite(&home, &[]);
}

/// A keeper that is killed ever later leaves neither a name nor a port nor a pid file to whoever looks next.
pub fn killed_at_any_moment(platform: Platform) {
    need(&["/bin/busybox"]);
    let home = Home::new(platform);
    let file = home.folder().join("pid");
    let step = Duration::from_millis(if platform.is_pc() { 10 } else { 1 });
    // What has to be built is built here.
    home.runs(&["--", "/bin/busybox", "true"]).expect_status(0);
    for moment in 0..40 {
        let port = free_port();
        let published = format!("127.0.0.1:{port}:80");
        let options = ["--name", "one", "--pid-file", file.to_str().unwrap(), "-p", &published];
        let words = ["--", "/bin/busybox", "nc", "-l", "-p", "80"];
        let running = Running::start(home.run_command(&[&options[..], &words].concat()), None);
        thread::sleep(step * moment);
        kill(running.id());
        running.finish(LIMIT).expect_status(137);
        assert!(home.machines().is_empty() && !home.kept("one").exists() && !file.exists(), "moment {moment}");
        eventually("a free port", || TcpListener::bind(("127.0.0.1", port)).ok());
    }
}

pub fn killed_machine(platform: Platform) {
    let home = Home::new(platform);
    polite(&home, &[]);
    let [keeper, machine] = ["keeper", "machine"].map(|key| home.number("one", key));
    kill(machine);
    eventually("an end of both", || (!lives(keeper) && !lives(machine)).then_some(()));
    assert_eq!(home.machine("one").unwrap()["stage"]["ended"]["status"], 125);
    assert!(home.says(&["logs", "one"]).contains("ended without a word from the kernel"));
}

fn kill(process: i32) {
    kill_process(Pid::from_raw(process).unwrap(), Signal::KILL).unwrap();
}

/// Fails twice, by what it leaves in a folder that it shares.
const TWICE: &str =
    "if [ -e /kept/2 ]; then exit 0; elif [ -e /kept/1 ]; then : > /kept/2; else : > /kept/1; fi; exit 7";

pub fn is_started_anew(platform: Platform) {
    need(&["/bin/busybox"]);
    for (most, status, starts) in [("on-failure:1", 7, 1), ("on-failure:2", 0, 2), ("on-failure", 0, 2)] {
        let home = Home::new(platform);
        let share = format!("{}:/kept", home.folder().display());
        let words = ["--restart", most, "-v", &share, "--", "/bin/busybox", "sh", "-c", TWICE];
        let outcome = home.runs(&words);
        outcome.expect_status(status);
        let told = outcome.error_text();
        assert_eq!(told.matches("the program ended with status 7; it is started anew in ").count(), starts, "{told}");
    }
    let home = Home::new(platform);
    let words = ["--restart", "on-failure", "--", "/no/such/program"];
    home.runs(&words).expect_status(127).expect_sentence();
}

pub fn is_stopped_in_its_pause(platform: Platform) {
    need(&["/bin/busybox"]);
    let home = Home::new(platform);
    home.detaches("one", &["--restart", "on-failure", "--", "/bin/busybox", "false"]);
    // The pauses grow: this one is long enough to be met.
    home.wait("one", "some failures", |machine| machine["restarts"].as_u64() >= Some(4));
    home.wait("one", "a pause", |machine| machine["stage"] == "pausing");
    let told = home.says(&["stop", "one"]);
    // On a machine that is busy enough it has begun anew by then, and is ended by the signal.
    assert!(["one ended with status 1\n", "one ended with status 143\n"].contains(&&*told), "{told}");
}

pub fn in_the_foreground(platform: Platform) {
    need(&[PYTHON]);
    let home = Home::new(platform);
    let running = Running::start(home.run_command(&["--name", "one", "--", PYTHON, "-c", POLITE]), None);
    running.wait_for_output("hello\n", LIMIT);
    assert!(home.says(&["ps"]).contains("one "));
    let told = home.refuses(&["logs", "one"]);
    assert!(told.contains("one was started without --detach"), "{told}");
    assert_eq!(home.says(&["stop", "one"]), "one ended\n");
    running.finish(LIMIT).expect_status(3);
    assert!(home.machines().is_empty());
}

pub fn refusals(platform: Platform) {
    need(&["/bin/busybox"]);
    let home = Home::new(platform);
    for words in [&["logs", "none"][..], &["stop", "none"], &["exec", "none", "ls"]] {
        let told = home.refuses(words);
        assert!(told.contains("there is no machine none") && told.contains("whittle ps --all"), "{told}");
    }
    let told = home.refuses(&["top"]);
    assert!(told.contains("top needs a terminal"), "{told}");
    let health = ["--detach", "--health", "http://127.0.0.1:9/", "--", "/bin/busybox", "true"];
    let told = home.runs(&health).expect_status(125).expect_sentence();
    assert!(told.contains("nobody reaches port 9"), "{told}");
    let told = home.runs(&["--detach", "--", "no-such-program"]).expect_status(127).expect_sentence();
    assert!(told.contains("no-such-program"), "{told}");
    let told = home.runs(&["--pid-file", "/no/such/folder/pid", "--", "/bin/busybox", "true"]);
    let told = told.expect_status(125).expect_sentence();
    assert!(told.contains("cannot write the pid file /no/such/folder/pid"), "{told}");
    assert!(home.machines().is_empty(), "what never ran is not remembered");
    polite(&home, &[]);
    let told = home.refuses(&["exec", "one", "ls", "-l"]);
    assert!(told.contains("a machine has one process, and that of one is python3"), "{told}");
    // Two programs without a name have different ones.
    for name in ["python3", "python3-2"] {
        let outcome = home.runs(&["--detach", "--", PYTHON, "-c", POLITE]);
        assert_eq!(outcome.expect_status(0).text(), format!("{name}\n"));
    }
    home.waits_for_log("python3", "hello");
    home.waits_for_log("python3-2", "hello");
    let told = home.does(&["stop", "python3", "none", "python3-2", "one"]);
    told.expect_status(125);
    assert_eq!(told.text(), "python3 ended with status 3\npython3-2 ended with status 3\none ended with status 3\n");
}

pub fn started_on_a_terminal(platform: Platform) {
    need(&["/bin/busybox"]);
    let home = Home::new(platform);
    let script = "for stream in 0 1 2; do [ -t $stream ] && echo terminal $stream; done; echo done";
    let command = home.run_command(&["--detach", "--name", "one", "--", "/bin/busybox", "sh", "-c", script]);
    Terminal::open(80, 24, &command).expect_end(0);
    home.waits_for_log("one", "done\n");
    assert_eq!(home.says(&["logs", "one"]), "done\n");
}

pub fn top(platform: Platform) {
    let home = Home::new(platform);
    polite(&home, &[]);
    let table = home.says(&["top", "--once"]);
    let row = table.lines().find(|line| line.starts_with("one ")).unwrap_or_else(|| panic!("{table}"));
    assert!(row.contains(&home.number("one", "machine").to_string()) && row.contains(" % "), "{table}");
    let terminal = Terminal::open(100, 24, &home.command(&["top"]));
    terminal.wait("the machine", |screen| screen.contains("memory") && screen.contains("one  "));
    terminal.keys(&["q"]);
    terminal.expect_end(0);
    let terminal = Terminal::open(100, 24, &home.command(&["top"]));
    terminal.wait("the machine", |screen| screen.contains("memory") && screen.contains("one  "));
    let top = eventually("its process", || process_of(&home));
    kill_process(Pid::from_raw(top).unwrap(), Signal::TERM).unwrap();
    terminal.expect_end(143);
}

/// The process that shows what this place's machines take.
fn process_of(home: &Home) -> Option<i32> {
    let place = format!("XDG_RUNTIME_DIR={}", home.folder().join("runtime").display());
    let is_it = |process: &i32| {
        let read = |file: &str| fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
        let has = |bytes: &[u8], word: &str| bytes.split(|&byte| byte == 0).any(|part| part == word.as_bytes());
        has(&read("cmdline"), "top") && has(&read("environ"), &place)
    };
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|process| process.file_name().to_str()?.parse().ok()).find(is_it)
}
