//! Machines of several processors that share one address space: see `programs/shared-memory`.

use std::path::PathBuf;
use std::process::ExitCode;

use system_tests::{Build, Check, Guest, LibC, Platform, Scope, Unmodified};

/// Machine and processors.
const RUNS: [(&str, usize); 5] = [("microvm", 1), ("microvm", 2), ("microvm", 4), ("q35", 2), ("q35", 4)];

fn main() -> ExitCode {
    let mut checks = Vec::new();
    for (machine, processors) in RUNS {
        let name = format!("{processors}_on_{machine}");
        checks.push(Check::new(name, Scope::Machines, move |platform| shares(platform, machine, processors)));
    }
    checks.push(Check::new("page_tables_keep_the_rules_on_2", Scope::Machines, audit));
    system_tests::run(&checks)
}

fn program() -> PathBuf {
    Unmodified { folder: "shared-memory", build: Build::C(LibC::Glibc) }.path()
}

fn shares(platform: Platform, machine: &str, processors: usize) {
    let count = processors.to_string();
    let guest = Guest::new(platform).option("--machine").option(machine).option("--cpus").option(&count);
    let outcome = guest.run(&[program().to_str().unwrap(), &count]);
    outcome.expect_status(0);
    assert_eq!(outcome.text(), format!("{processors} processors share memory\n"));
    assert_eq!(outcome.error_text(), "");
}

fn audit(platform: Platform) {
    let guest = Guest::new(platform).option("--audit").option("--cpus").option("2");
    let outcome = guest.run(&[program().to_str().unwrap(), "2"]);
    outcome.expect_status(0);
    assert!(outcome.error_text().contains("audit: pages="), "{}", outcome.error_text());
}
