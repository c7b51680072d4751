//! Fuzzes the system calls on every platform: `tests/system/programs/call-fuzzer`, whose knowledge of them is the
//! kernel's table.
//!
//! A fault of the kernel (status 125), a machine in which nothing happens any more, one that SIGTERM does not end, and
//! memory of the kernel's that only grows are failures. That the program ends is none: a call may end it, and the next
//! seed goes on. What is no failure either, and cannot be, is `wrgsbase` at ring 0: the fuzzer makes no wild
//! instructions.
//!
//! `WHITTLE_FUZZ_CALLS` says how many calls, `WHITTLE_FUZZ_SEED` the first seed. To narrow a failure, run its seed with
//! `verbose` or `only=NAME` behind it (see the program).

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::process::{Child, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process};
use system_tests::{Check, Guest, Platform, Scope, all, call_fuzzer, network_inside, scratch};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("no_call_harms_the_kernel", Scope::Guests, fuzz),
        Check::new("sigterm_ends_a_fuzzed_machine", Scope::Guests, end),
    ])
}

/// Calls that one machine makes at most.
const LIFE: u64 = 200_000;
/// How long a machine may be silent; the machines below may be slow ones.
const SILENCE: Duration = Duration::from_secs(120);
/// How long it may take to end.
const END: Duration = Duration::from_secs(30);
/// Kilobytes of the kernel's heap when a round begins: a few bytes lost by each call would be more.
const HEAP: u64 = 6 << 10;

fn wanted(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.replace('_', "").parse().ok()
}

fn calls(platform: Platform) -> u64 {
    wanted("WHITTLE_FUZZ_CALLS").unwrap_or(match (all(), platform.is_pc()) {
        (true, _) => 500_000,
        (false, true) => 5_000,
        (false, false) => 12_000,
    })
}

/// One known seed and then others: a failure names its own.
fn fuzz(platform: Platform) {
    let calls = calls(platform);
    let first = wanted("WHITTLE_FUZZ_SEED").unwrap_or(1);
    let chance = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() % 1_000_000 + 1_000;
    let next = if wanted("WHITTLE_FUZZ_SEED").is_some() { first + 1 } else { chance };
    let (mut done, mut answered, mut lives, begin) = (0, 0, 0, Instant::now());
    while done < calls {
        let seed = if lives == 0 { first } else { next + lives };
        let most = if lives == 0 { calls.div_ceil(2) } else { calls - done };
        // Every other machine has sockets of the Internet, over a network that stays inside.
        let heard = Life::start(platform, seed, most.min(LIFE), lives % 2 == 1).live();
        assert!(heard.heap <= HEAP, "seed {seed}: the kernel's heap grew to {} kB\n{}", heard.heap, heard.tail());
        (done, answered, lives) = (done + heard.calls, answered + heard.answered, lives + 1);
        assert!(lives < 20 + calls / 1000, "most lives end at once\n{}", heard.tail());
    }
    let seconds = begin.elapsed().as_secs();
    eprintln!(
        "figure: {}: {done} calls in {seconds} s, {lives} machines, seeds {first} and {next} to {}; {answered} answered in \
         those that came to their end",
        platform.name(),
        next + lives,
    );
}

/// SIGTERM comes when a machine is amid its calls; a call may have ended the program before.
fn end(platform: Platform) {
    for seed in 2..20 {
        let mut life = Life::start(platform, seed, u64::MAX, false);
        if life.comes_to_calls() {
            return life.expect_end();
        }
    }
    panic!("no machine comes as far as calls");
}

/// What a machine has told.
#[derive(Clone, Default)]
struct Heard {
    calls: u64,
    answered: u64,
    heap: u64,
    /// When it told of more calls than before.
    last: Option<Instant>,
    lines: VecDeque<String>,
}

impl Heard {
    fn take(&mut self, line: &str) {
        let number =
            |name: &str| -> Option<u64> { line.split_once(&format!(" {name} "))?.1.split(' ').next()?.parse().ok() };
        if line.starts_with("fuzz: ") {
            let calls = number("calls").unwrap_or(0);
            if calls > self.calls || line.contains("round") {
                self.last = Some(Instant::now());
            }
            self.calls = self.calls.max(calls);
            self.answered = number("answered").unwrap_or(self.answered);
            self.heap = self.heap.max(number("heap").unwrap_or(0));
        }
        if self.lines.len() == 100 {
            self.lines.pop_front();
        }
        self.lines.push_back(line.to_owned());
    }

    fn tail(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// One machine that makes calls.
struct Life {
    seed: u64,
    child: Child,
    heard: Arc<Mutex<Heard>>,
    reader: Option<JoinHandle<()>>,
    _share: tempfile::TempDir,
}

impl Life {
    fn start(platform: Platform, seed: u64, calls: u64, network: bool) -> Self {
        let share = scratch();
        let processors = (1 + seed % 2).to_string();
        let volume = format!("{}:/share", share.path().display());
        let options = ["--memory", "512M", "--cpus", &processors, "-v", &volume];
        let guest = options.iter().fold(Guest::new(platform), |guest, option| guest.option(*option));
        let program = call_fuzzer();
        let image = network.then(|| network_inside().display().to_string());
        let (seed_text, calls_text) = (seed.to_string(), calls.to_string());
        let words = [program.to_str().unwrap(), &seed_text, &calls_text];
        let words: Vec<&str> = image.as_deref().into_iter().chain(words).collect();
        let mut command = guest.command(&words);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("whittle can be started");
        let heard = Arc::new(Mutex::new(Heard { last: Some(Instant::now()), ..Heard::default() }));
        let (lines, told) = (BufReader::new(child.stderr.take().expect("error is a pipe")), heard.clone());
        let reader = std::thread::spawn(move || {
            let lines = lines.split(b'\n').map_while(Result::ok).filter(|line| !line.is_empty());
            lines.for_each(|line| told.lock().unwrap().take(&String::from_utf8_lossy(&line)));
        });
        Self { seed, child, heard, reader: Some(reader), _share: share }
    }

    fn heard(&self) -> Heard {
        self.heard.lock().unwrap().clone()
    }

    fn signal(&self, signal: Signal) {
        // It may just have ended.
        let _ = kill_process(Pid::from_child(&self.child), signal);
    }

    /// Waits for a report of calls; `false` if the machine ends before.
    fn comes_to_calls(&mut self) -> bool {
        let begin = Instant::now();
        while self.heard().calls == 0 {
            if self.child.try_wait().expect("the child is ours").is_some() {
                return false;
            }
            assert!(begin.elapsed() < SILENCE, "seed {}: it makes no calls\n{}", self.seed, self.heard().tail());
            sleep(Duration::from_millis(5));
        }
        true
    }

    /// Lets it come to its end.
    fn live(mut self) -> Heard {
        loop {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                self.reader.take().map(JoinHandle::join);
                let heard = self.heard();
                let is_fault = status.code() == Some(125) || heard.lines.iter().any(|line| line.starts_with("kernel "));
                assert!(!is_fault, "seed {}: the kernel failed, {status}\n{}", self.seed, heard.tail());
                return heard;
            }
            let silent = self.heard().last.map_or(Duration::ZERO, |last| last.elapsed());
            if silent > SILENCE {
                let tail = self.heard().tail();
                let seed = self.seed;
                self.expect_end();
                panic!("seed {seed}: no calls for {} s\n{tail}", silent.as_secs());
            }
            // A call may have stopped the process.
            if silent > Duration::from_secs(2) {
                self.signal(Signal::CONT);
                sleep(Duration::from_millis(200));
            }
            sleep(Duration::from_millis(10));
        }
    }

    /// SIGTERM, which the program leaves alone, ends it.
    fn expect_end(mut self) {
        let begin = Instant::now();
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
        while self.child.try_wait().expect("the child is ours").is_none() {
            let tail = self.heard().tail();
            assert!(begin.elapsed() < END, "seed {}: SIGTERM does not end the machine\n{tail}", self.seed);
            sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        // The command takes its machine with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
