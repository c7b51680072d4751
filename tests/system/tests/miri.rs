//! Runs the elements' host tests in Miri, which finds undefined behaviour: with `WHITTLE_TEST_ALL=1`, or by name. To be
//! run for each change of an element with unsafe code. Tests that take long there repeat less under `cfg(miri)`.
//!
//! Miri is a part of nightly compilers only, and changes with them, so one is named here by its date.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Once;
use std::time::Duration;

use system_tests::{Check, Running, Scope, project_root, work_folder};

/// The day of the compiler, and what it is made of.
const TOOLCHAIN: &str = "nightly-2026-05-20";
const PARTS: [&str; 6] = ["--profile", "minimal", "--component", "miri", "--component", "rust-src"];
/// How long an element's tests may take, the building included.
const LONGEST: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    let check =
        |element: String| Check::new(format!("miri_{element}"), Scope::Once, move |_| interpret(&element)).long();
    system_tests::run(&elements().into_iter().map(check).collect::<Vec<_>>())
}

/// Every element.
fn elements() -> Vec<String> {
    let folders = std::fs::read_dir(project_root().join("elements")).expect("the elements lie in the project");
    let mut names: Vec<_> = folders.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Cargo of the toolchain, with Miri.
fn miri(words: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.current_dir(project_root()).args(["run", TOOLCHAIN, "cargo", "miri"]).args(words);
    command.env_remove("RUSTFLAGS").env("MIRIFLAGS", "-Zmiri-ignore-leaks");
    // Two compilers cannot have their standard libraries for Miri in one place.
    command.env("CARGO_TARGET_DIR", target()).env("XDG_CACHE_HOME", target());
    command
}

fn target() -> PathBuf {
    work_folder().join("miri")
}

fn works(mut command: Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{error}; get rustup from https://rustup.rs"))?;
    output.status.success().then_some(()).ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Fetches Miri and builds the standard library for it, once.
fn ready() {
    static READY: Once = Once::new();
    READY.call_once(|| {
        if works(miri(&["--version"])).is_err() {
            let mut install = Command::new("rustup");
            install.args(["toolchain", "install", TOOLCHAIN]).args(PARTS);
            let told = format!("Miri is missing; type: rustup toolchain install {TOOLCHAIN} {}", PARTS.join(" "));
            works(install).unwrap_or_else(|error| panic!("{told}\n{error}"));
        }
        works(miri(&["setup"])).unwrap_or_else(|error| panic!("Miri has no standard library: {error}"));
    });
}

fn interpret(element: &str) {
    ready();
    let command = miri(&["test", "--quiet", "-p", element]);
    let outcome = Running::start(command, Some(Vec::new())).finish(LONGEST);
    let said = outcome.text() + &outcome.error_text();
    assert!(outcome.status == 0, "{said}");
    // A package without a test binary would pass as well.
    assert!(said.contains("test result: ok."), "nothing was tested: {said}");
}
