//! The responder on a machine.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use system_tests::machine::{BUILD, RUN};
use system_tests::{Machine, Outcome, Running, project_root};

/// The program.
pub const RESPONDER: &str = "apps/responder";

/// Runs the command to its end.
pub fn whittle(words: &[&str]) -> Outcome {
    let mut command = system_tests::whittle();
    command.args(words).current_dir(project_root());
    Running::start(command, None).finish(BUILD)
}

/// A responder that runs.
pub struct Responder(Running);

impl Responder {
    /// Starts the responder, which is ready.
    pub fn start(machine: Machine, options: &[&str]) -> Self {
        Self(machine.start(options, Path::new(RESPONDER), "ready at 02:"))
    }

    /// Expects that it takes no processor while nothing comes: clock ticks (a hundredth of a second) of all that the
    /// command has started, in two seconds. A machine that spins, or that an interrupt comes to again and again, takes
    /// all it gets.
    pub fn expect_rest(&self) {
        const REST: Duration = Duration::from_secs(2);
        const MOST: u64 = 40;
        let before = ticks(self.0.id());
        let since = Instant::now();
        while since.elapsed() < REST {
            std::thread::sleep(Duration::from_millis(100));
        }
        let taken = ticks(self.0.id()) - before;
        assert!(taken <= MOST, "{taken} ticks of a machine that has nothing to do");
    }

    /// A signal ends it.
    pub fn end_by_signal(self) {
        self.0.signal(Signal::TERM);
        self.0.finish_with_open_input(RUN).expect_status(143);
    }

    /// It ends by itself, and says what it has seen.
    pub fn finish(self) {
        let outcome = self.0.finish_with_open_input(RUN);
        outcome.expect_status(0);
        assert!(outcome.text().contains(" packets in "), "{}", outcome.text());
    }
}

/// Clock ticks of a process and its children (proc_pid_stat(5)).
fn ticks(process: i32) -> u64 {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let stat = |number: i32| {
        let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        let fields: Vec<u64> =
            text.rsplit_once(") ")?.1.split(' ').skip(1).filter_map(|word| word.parse().ok()).collect();
        // Behind the state: the parent first, user and system time as the eleventh and twelfth of the rest.
        let parent = fields.first()? == &(process as u64) || number == process;
        parent.then(|| {
            text.rsplit_once(") ").map(|(_, rest)| rest.split(' ').skip(11).take(2).collect::<Vec<_>>().join(" "))
        })
    };
    let times = numbers.filter_map(stat).flatten();
    times.map(|both| both.split(' ').filter_map(|word| word.parse::<u64>().ok()).sum::<u64>()).sum()
}
