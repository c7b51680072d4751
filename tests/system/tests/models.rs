//! Runs the models: the orders of the steps of two processors in the schedulers' queues and locks, by `loom`.
//!
//! They are host tests of their elements, built once more with `--cfg loom`, under which atomics and words are loom's.

use std::process::{Command, ExitCode};
use std::time::Duration;

use system_tests::{Check, Running, Scope, project_root, work_folder};

fn main() -> ExitCode {
    system_tests::run(&[Check::new("models", Scope::Once, |_| models())])
}

fn models() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(project_root()).env("RUSTFLAGS", "--cfg loom");
    command.args(["test", "--quiet", "-p", "sched", "-p", "sync", "--lib", "--target-dir"]);
    command.arg(work_folder().join("models"));
    let outcome = Running::start(command, Some(Vec::new())).finish(Duration::from_secs(600));
    let said = outcome.text() + &outcome.error_text();
    assert!(outcome.status == 0, "{said}");
    // Without the flag the same command would run the other tests.
    assert!(said.contains("running 5 tests"), "the models were not built: {said}");
}
