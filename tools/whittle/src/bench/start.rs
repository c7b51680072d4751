//! Starting programs and this command for measuring.

use std::env;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Doing, Failure};
use crate::house::House;

/// The usual program to start: Debian's busybox-static.
pub const ECHO: [&str; 3] = ["/bin/busybox", "echo", "hello"];

/// The launcher, as people start it; this binary where there is none.
fn launcher(house: &House) -> Result<PathBuf, Failure> {
    let launcher = house.root.join("whittle");
    if launcher.is_file() { Ok(launcher) } else { env::current_exe().doing("find this command") }
}

/// `whittle run` with these words.
pub fn whittle(house: &House, words: &[&str]) -> Result<Command, Failure> {
    let mut command = Command::new(launcher(house)?);
    command.arg("run").args(words).env("WHITTLE_ROOT", &house.root).stdin(Stdio::null());
    Ok(command)
}

/// What a run printed, if it ended well.
pub struct Printed {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs a command that must end well.
pub fn run(mut command: Command) -> Result<Printed, Failure> {
    let output = command.output().doing("start the measured program")?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let printed = Printed { out: text(&output.stdout), err: text(&output.stderr) };
    if output.status.success() {
        return Ok(printed);
    }
    let what = printed.err.lines().next().unwrap_or_default().trim_start_matches("whittle: ").to_owned();
    Err(Failure::ours(format!("the measured program ended with {}: {what}", output.status)))
}

/// The median time from starting a command to the first byte of its output.
pub fn time_to_output(make: &dyn Fn() -> Result<Command, Failure>, times: usize) -> Result<Duration, Failure> {
    // The first run warms caches and builds what must be built.
    run(make()?)?;
    let mut measured = Vec::new();
    for _ in 0..times {
        let mut command = make()?;
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let begin = Instant::now();
        let mut child = command.spawn().doing("start the measured program")?;
        let mut first = [0];
        if let Some(output) = &mut child.stdout {
            output.read_exact(&mut first).doing("read the measured program's output")?;
        }
        measured.push(begin.elapsed());
        child.wait().doing("wait for the measured program")?;
    }
    measured.sort();
    Ok(measured[measured.len() / 2])
}
