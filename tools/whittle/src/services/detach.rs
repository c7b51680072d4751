//! `whittle run --detach`. The command starts itself anew as a keeper, in a session of its own, and waits until that
//! has started the machine or cannot. What the keeper says before, as of images that are built, goes where the
//! command's own words go.

use std::env;
use std::fs::File;
use std::io::{self, Read, Write, pipe};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::{dup2_stderr, dup2_stdout, stderr, stdout};

use crate::child::{detach, out_of_the_way};
use crate::failure::{Doing, Failure, OURS};
use crate::words::Name;

/// In the environment of a keeper whose standard output is the way to who waits for its report.
const KEEPER: &str = "WHITTLE_KEEPER";

/// Starts the keeper and waits for its report; returns the exit status.
pub fn leave() -> Result<u8, Failure> {
    let (mut reader, writer) = pipe().doing("make a pipe")?;
    let binary = env::current_exe().doing("find the command's own binary")?;
    let mut keeper = Command::new(binary);
    // It is as fresh as this process, which has looked.
    keeper.args(env::args_os().skip(1)).env(KEEPER, "1").env("WHITTLE_FRESH", "1");
    keeper.stdin(Stdio::null()).stdout(writer);
    detach(&mut keeper);
    let mut parent = keeper.spawn().doing("start the command in the background")?;
    // The keeper alone has the other end from here on.
    drop(keeper);
    // The child has ended as soon as it had a child of its own.
    parent.wait().doing("start the command in the background")?;
    let mut report = String::new();
    reader.read_to_string(&mut report).doing("hear of the machine")?;
    let (status, text) = understood(&report);
    if status != 0 {
        return Err(Failure { status, sentence: text.to_owned() });
    }
    println!("{text}");
    Ok(0)
}

/// `STATUS TEXT`: a name behind 0, else a sentence. Who is killed leaves none.
fn understood(report: &str) -> (u8, &str) {
    let parts = report.split_once(' ').and_then(|(status, text)| Some((status.parse().ok()?, text)));
    parts.unwrap_or((OURS, "the process that was to keep the machine ended without a word: nothing was started"))
}

/// The way to who waits for a keeper's report.
#[derive(Debug)]
pub struct Report(OwnedFd);

/// The way, if this process is a keeper that somebody waits for. Its standard output is free then.
pub fn report() -> Result<Option<Report>, Failure> {
    if env::var_os(KEEPER).is_none() {
        return Ok(None);
    }
    let way = out_of_the_way(stdout()).doing("keep the way to the foreground")?;
    dup2_stdout(stderr()).doing("use standard error")?;
    Ok(Some(Report(way)))
}

impl Report {
    /// Whether somebody still waits for it: whoever has ended meanwhile, by Ctrl-C, wants no machine.
    #[must_use]
    pub fn is_awaited(&self) -> bool {
        let mut way = [PollFd::new(&self.0, PollFlags::empty())];
        !matches!(poll(&mut way, Some(&Timespec::default())), Ok(1..))
    }

    /// The machine has started.
    pub fn started(self, name: &Name) {
        self.tell(&format!("0 {name}"));
    }

    /// It cannot be started.
    pub fn failed(self, failure: &Failure) {
        self.tell(&format!("{} {}", failure.status, failure.sentence));
    }

    fn tell(self, text: &str) {
        // Who does not wait any more needs no report.
        let _ = File::from(self.0).write_all(text.as_bytes());
    }
}

/// Has all that this process and the machine print from here on go into the log.
pub fn print_into(log: &File) -> io::Result<()> {
    dup2_stdout(log)?;
    dup2_stderr(log)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_understood() {
        assert_eq!(understood("0 web"), (0, "web"));
        assert_eq!(understood("127 x: no such program"), (127, "x: no such program"));
        for other in ["", "nonsense", "999 x"] {
            assert_eq!(understood(other).0, OURS, "{other:?}");
        }
    }

    #[test]
    fn nobody_waits_who_has_gone() {
        let (reader, writer) = pipe().unwrap();
        let report = Report(writer.into());
        assert!(report.is_awaited());
        drop(reader);
        assert!(!report.is_awaited());
        report.failed(&Failure::ours("x"));
    }
}
