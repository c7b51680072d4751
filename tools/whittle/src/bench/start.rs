//! Starting programs and this command for measuring.

use std::env;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::run::is_of_locale;

/// The usual program to start: Debian's busybox-static.
pub const ECHO: [&str; 3] = ["/bin/busybox", "echo", "hello"];

/// The launcher, as people start it; this binary where there is none.
fn launcher(house: &House) -> Result<PathBuf, Failure> {
    let launcher = house.launcher();
    if launcher.is_file() { Ok(launcher) } else { env::current_exe().doing("find this command") }
}

/// `whittle run` with these words.
pub fn whittle(house: &House, words: &[&str]) -> Result<Command, Failure> {
    let mut command = Command::new(launcher(house)?);
    command.arg("run").args(words).env("WHITTLE_ROOT", &house.root).stdin(Stdio::null());
    // We may have been rebuilt just now: that is no reason for what we measure not to look.
    command.env_remove("WHITTLE_FRESH");
    // What the person's language is would be in the figures.
    let locale = env::vars_os().map(|(name, _)| name).filter(|name| is_of_locale(name));
    for name in locale {
        command.env_remove(name);
    }
    Ok(command)
}

/// The same with what is built already: nobody looks whether sources have changed.
#[must_use]
pub fn as_built(mut command: Command) -> Command {
    command.env("WHITTLE_BUILD", "never");
    command
}

/// What a run printed, if it ended well.
pub struct Printed {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// How a run ended.
pub enum Ended {
    /// With status 0.
    Well(Printed),
    /// With another status, or by a signal, in one word; and the first line of its standard error.
    Badly {
        /// `status-1` or `signal-9`.
        status: String,
        /// What it said.
        what: String,
    },
    /// Not in time: it was killed.
    Never,
}

/// The longest that a measured program may take; the longest that does takes a few seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a command to its end, or kills it after a minute.
pub fn run_within(command: Command) -> Result<Ended, Failure> {
    run_for(command, PATIENCE)
}

/// Runs a command to its end, or kills it when it has taken so long.
fn run_for(mut command: Command, patience: Duration) -> Result<Ended, Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().doing("start the measured program")?;
    let outputs = [child.stdout.take().map(read), child.stderr.take().map(read)];
    let mut text = outputs.into_iter().map(|output| output.and_then(|output| output.recv_timeout(patience).ok()));
    let (Some(Some(out)), Some(Some(err))) = (text.next(), text.next()) else {
        child.kill().doing("end the measured program")?;
        child.wait().doing("wait for the measured program")?;
        return Ok(Ended::Never);
    };
    let status = child.wait().doing("wait for the measured program")?;
    if status.success() {
        return Ok(Ended::Well(Printed { out, err }));
    }
    let what = err.lines().next().unwrap_or_default().trim_start_matches("whittle: ").to_owned();
    let status = match (status.code(), status.signal()) {
        (None, Some(signal)) => format!("signal-{signal}"),
        (code, _) => format!("status-{}", code.unwrap_or_default()),
    };
    Ok(Ended::Badly { status, what })
}

/// Reads a stream to its end beside this thread.
fn read(mut stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could not be read is missing from the text, and nobody waits for it any more if the time was over.
        let _ = stream.read_to_end(&mut bytes);
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

/// Runs a command that must end well, within a minute.
pub fn run(command: Command) -> Result<Printed, Failure> {
    run_well(command, PATIENCE)
}

/// The same with another patience.
pub fn run_well(command: Command, patience: Duration) -> Result<Printed, Failure> {
    match run_for(command, patience)? {
        Ended::Well(printed) => Ok(printed),
        Ended::Badly { status, what } => {
            Err(Failure::ours(format!("the measured program ended with {}: {what}", status.replace('-', " "))))
        }
        Ended::Never => Err(Failure::ours(format!("the measured program did not end in {} s", patience.as_secs()))),
    }
}

/// A figure that the kernel sent with `--figures`.
pub fn figure(printed: &Printed, name: &str) -> Result<u64, Failure> {
    let mut values = printed.err.split_whitespace().filter_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let value = values.next_back().and_then(|value| value.parse().ok());
    value.ok_or_else(|| Failure::ours(format!("the kernel sent no figure {name}")))
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
