//! Keeping what is built in step with its sources, without asking cargo when nothing changed.

mod look;
mod progress;
pub mod stamp;
mod strip;
mod turn;
mod watch;

use std::io::{IsTerminal, stderr};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;
use std::{env, fs};

use crate::failure::{Doing, Failure};
use crate::house::{House, STATIC};
pub use look::Look;
pub use progress::Progress;
pub use strip::{StripError, loaded_end, strip};
pub use turn::Turn;
pub use watch::{VERB as WATCH, is_unwanted as is_watching_unwanted};

/// How the command is linked, see the launcher, which builds it first.
const FLAGS: &str = r#"target.x86_64-unknown-linux-musl.rustflags=["-Crelocation-model=static"]"#;

/// `WHITTLE_BUILD=never`: run what is there (tests that start whittle hundreds of times, or with kernels of their own).
#[must_use]
pub fn builds_nothing() -> bool {
    env::var_os("WHITTLE_BUILD").is_some_and(|word| word == "never")
}

/// Rebuilds this very command if its sources changed, and becomes the new one.
///
/// Only a command that lies where the launcher builds it does so; a test's or a developer's own does not.
pub fn rebuild_command(house: &House, look: &mut Look<'_>) -> Result<(), Failure> {
    if builds_nothing() || env::var_os("WHITTLE_FRESH").is_some() || !look.is_command {
        return Ok(());
    }
    let cargo = cargo(house);
    let words = words(&cargo);
    let (binary, stamp) = (house.command(), house.command_stamp());
    if look.is_current(&stamp, &words) {
        return Ok(());
    }
    let _turn = Turn::wait(&house.target.join("building.lock"), "the command")?;
    // Whoever had the turn before may have built it.
    if !stamp::is_fresh(&stamp, &house.root, &words) {
        build_command(house, cargo, &words, &stamp)?;
    }
    let error = Command::new(&binary).args(env::args_os().skip(1)).env("WHITTLE_FRESH", "1").exec();
    Err(Failure::ours(format!("cannot start {}: {error}", binary.display())))
}

/// Is a watcher of what these stamps stand beside, until something changes or nobody asks any more.
pub fn watch_sources(house: &House, stamps: &[PathBuf]) -> Result<(), Failure> {
    let words = |stamp: &Path| {
        if stamp == house.command_stamp() { command_words(house) } else { house.surroundings() }
    };
    let built = |stamp: &PathBuf| watch::Built { stamp: stamp.clone(), words: words(stamp) };
    let things: Vec<watch::Built> = stamps.iter().map(built).collect();
    let address = stamps.first().and_then(|first| watch::Address::of(house, first));
    let address = address.ok_or_else(|| Failure::ours("nobody can watch that"))?;
    let watcher = watch::Watcher::begin(address, &house.root, &things).doing("watch sources")?;
    watcher.serve(watch::PATIENCE).doing("watch sources")
}

/// How the command is built, as its stamp has it.
#[must_use]
pub fn command_words(house: &House) -> String {
    words(&cargo(house))
}

/// Builds the command.
fn cargo(house: &House) -> Command {
    let mut cargo = house.cargo();
    cargo.args(["build", "-p", "whittle", "--profile", "command", "--target", STATIC]);
    cargo.arg("--target-dir").arg(&house.target).args(["--config", FLAGS]);
    cargo
}

fn build_command(house: &House, cargo: Command, words: &str, stamp: &Path) -> Result<(), Failure> {
    let started = SystemTime::now();
    // The launcher leaves an empty stamp: what it has just built is only written down.
    if fs::metadata(stamp).map_or(true, |stamp| stamp.len() > 0) {
        eprintln!("whittle: building the command: its sources have changed");
    }
    build(cargo, "the command")?;
    let built = stamp::Built {
        root: &house.root,
        words,
        dep_info: &house.command().with_extension("d"),
        more: Vec::new(),
        folder: Path::new(""),
    };
    stamp::write(stamp, &built, started)
}

/// How a thing is built is part of what it is built from.
fn words(cargo: &Command) -> String {
    cargo.get_args().map(|word| format!("{}\n", word.display())).collect()
}

/// Runs a cargo command. Quiet unless it fails or a person watches.
fn build(mut cargo: Command, what: &str) -> Result<(), Failure> {
    cargo.stdin(Stdio::null());
    let failed = || Failure::ours(format!("{what} does not build, see above"));
    let missing = |error| Failure::ours(format!("cannot start cargo ({error}): install Rust from https://rustup.rs"));
    if stderr().is_terminal() {
        // Cargo's standard output must not become the program's.
        let status = cargo.stdout(stderr()).status().map_err(missing)?;
        return if status.success() { Ok(()) } else { Err(failed()) };
    }
    let output = cargo.arg("--quiet").output().map_err(missing)?;
    if output.status.success() {
        return Ok(());
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(failed())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_launcher_builds_the_command_as_the_command_does() {
        assert!(include_str!("../../first-start.sh").contains(super::FLAGS), "each would undo the other's work");
    }
}
