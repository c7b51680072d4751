//! Steps of a check: each says in one line what it is, how it went and how long it took; on a terminal also how far it
//! is.

use std::io::{BufRead, BufReader};
use std::mem;
use std::ops::AddAssign;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::line::Line;
use crate::child;
use crate::failure::Failure;

/// Tests counted from what they print.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Tests that did not run, each with a line that says why.
    pub skipped: u64,
    /// Those lines: names and reasons.
    pub reasons: Vec<String>,
    /// What takes minutes and is left to `--all`, by name: nothing is missing for it.
    pub left: Vec<String>,
    /// Tests that the next summary counts as passed and that were skipped.
    not_passed: u64,
}

impl Tally {
    /// Takes one line of a test program's output: cargo's summary, or a line about what was skipped.
    pub fn take(&mut self, line: &str) {
        if let Some(reason) = line.strip_prefix("skipped: ") {
            self.skipped += 1;
            // A test that only finds out while it runs cannot tell cargo's harness, which will count it as passed.
            self.not_passed += u64::from(reason.starts_with("test "));
            self.reasons.push(reason.to_owned());
        }
        self.left.extend(line.strip_prefix("with --all: ").map(str::to_owned));
        if let Some((test, reason)) = line.strip_prefix("test ").and_then(|line| line.split_once(" ... ignored")) {
            self.reasons.push(format!("{test}{reason}"));
        }
        let Some(summary) = line.strip_prefix("test result: ") else { return };
        for (count, word) in summary.split([';', '.']).filter_map(|part| part.trim().split_once(' ')) {
            let Ok(count) = count.parse::<u64>() else { continue };
            match word {
                "passed" => self.passed += count.saturating_sub(mem::take(&mut self.not_passed)),
                "failed" => self.failed += count,
                "ignored" => self.skipped += count,
                _ => {}
            }
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Self) {
        self.passed += more.passed;
        self.failed += more.failed;
        self.skipped += more.skipped;
        self.reasons.extend(more.reasons);
        self.left.extend(more.left);
    }
}

/// The steps so far.
#[derive(Debug, Default)]
pub struct Steps {
    /// Steps that failed.
    pub failed: u64,
    /// Tests that the steps ran.
    pub tests: Tally,
}

impl Steps {
    /// A step that is a function of ours; an error is what to print.
    pub fn function(&mut self, name: &str, step: impl FnOnce() -> Result<(), String>) -> bool {
        self.step(name, |_| step())
    }

    /// A step whose error is told and is no failure: what it leaves undone is counted elsewhere.
    pub fn preparation(&mut self, name: &str, step: impl FnOnce() -> Result<(), Failure>) {
        let begin = Instant::now();
        let line = Line::begin(name);
        let result = step();
        let seconds = begin.elapsed().as_secs_f64();
        line.end(&result.map_or_else(|failure| failure.sentence, |()| format!("ok ({seconds:.1} s)")));
    }

    /// A step that is a command; its output is shown if it fails.
    pub fn command(&mut self, name: &str, command: Command) -> bool {
        self.function(name, || run(command, &mut |_| ()))
    }

    /// A command that runs tests, which are counted; one that fails is named at once.
    pub fn tests(&mut self, name: &str, command: Command) -> bool {
        let mut tally = Tally::default();
        let passed = self.step(name, |line| {
            let mut ended = 0_u64;
            run(command, &mut |said| {
                tally.take(said);
                let Some((test, result)) = said.strip_prefix("test ").and_then(|said| said.split_once(" ... ")) else {
                    return;
                };
                ended += 1;
                line.at(&format!("{ended} ended, last {test}"));
                if result == "FAILED" {
                    line.above(&format!("failed: {test}"));
                }
            })
        });
        self.tests += tally;
        passed
    }

    fn step(&mut self, name: &str, step: impl FnOnce(&Line) -> Result<(), String>) -> bool {
        let begin = Instant::now();
        let line = Line::begin(name);
        let result = step(&line);
        let word = if result.is_ok() { "ok" } else { "failed" };
        line.end(&format!("{word} ({:.1} s)", begin.elapsed().as_secs_f64()));
        if let Err(text) = &result {
            println!("{}", text.trim_end());
            self.failed += 1;
        }
        result.is_ok()
    }
}

/// Runs a command, shows each line of its output to `watch`, and returns all of it if the command fails.
fn run(mut command: Command, watch: &mut dyn FnMut(&str)) -> Result<(), String> {
    // Tests send signals to what they start.
    child::hear_the_terminal(&mut command);
    let (reader, writer) = std::io::pipe().map_err(|error| error.to_string())?;
    let second = writer.try_clone().map_err(|error| error.to_string())?;
    command.stdin(Stdio::null()).stdout(writer).stderr(second);
    let name = command.get_program().display().to_string();
    let mut child = command.spawn().map_err(|error| format!("cannot start {name}: {error}"))?;
    // The command's ends of the pipe must close with it.
    drop(command);
    let mut output = String::new();
    for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        watch(&line);
        output.push_str(&line);
        output.push('\n');
    }
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(output),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_started_hears_the_terminal() {
        let mut heard = false;
        let mut status = Command::new("grep");
        status.args(["SigIgn", "/proc/self/status"]);
        run(status, &mut |line| heard |= line.ends_with("0") && line.starts_with("SigIgn")).unwrap();
        assert!(heard);
    }

    #[test]
    fn tests_are_counted_from_summaries() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "skipped: kvm-ring3: no usable /dev/kvm",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.00s",
            "skipped: test ext4::tests::whole: mke2fs is missing",
            "test pc-ring0::gdb ... ignored (gdb is missing)",
            "with --all: process::test_os",
            "test result: FAILED. 10 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.25s",
        ] {
            tally.take(line);
        }
        assert_eq!((tally.passed, tally.failed, tally.skipped), (12, 2, 4));
        let reasons = [
            "kvm-ring3: no usable /dev/kvm",
            "test ext4::tests::whole: mke2fs is missing",
            "pc-ring0::gdb (gdb is missing)",
        ];
        assert_eq!(tally.reasons, reasons);
        assert_eq!(tally.left, ["process::test_os"]);
    }

    #[test]
    fn a_failing_command_brings_its_output() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 1"]);
        let mut lines = Vec::new();
        assert_eq!(run(command, &mut |line| lines.push(line.to_owned())), Err("out\nerr\n".into()));
        assert_eq!(lines, ["out", "err"]);
        assert!(run(Command::new("/no/such"), &mut |_| ()).is_err());
    }
}
