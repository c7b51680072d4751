//! Libraries: one that comes and goes a thousand times, and one with tables that read as system calls.

use std::path::PathBuf;
use std::process::Command;

use system_tests::{Build, Guest, Outcome, Platform, all, need, project_root, scratch, skip};

use crate::{guest, needs_memory_file};

/// Each time opens and closes it anew.
pub fn come_and_go(platform: Platform) {
    needs_memory_file(platform);
    need(&["gcc"]);
    let folder = scratch();
    let sources = project_root().join("tests/system/programs/rewriting-library");
    let made = |name: &str, source: &str, flags: &[&str]| -> PathBuf {
        let output = folder.path().join(name);
        let mut command = Command::new("gcc");
        command.args(["-O1", "-Wall", "-Wextra"]).args(flags).arg("-o").arg(&output).arg(sources.join(source));
        assert!(command.status().unwrap().success(), "{source} does not build");
        output
    };
    let library = made("library.so", "library.c", &["-shared", "-fPIC"]);
    let program = made("program", "main.c", &[]);
    // On pc the first of the thousand is as good as the last, and each takes longer.
    let times = if all() || platform == Platform::Process { "1000" } else { "200" };
    let words = [program.to_str().unwrap(), library.to_str().unwrap(), times];
    let said = |outcome: &Outcome| {
        assert_eq!((outcome.status, outcome.text()), (0, format!("{times} times\n")), "{}", outcome.error_text());
    };
    said(&Guest::new(Platform::Native).run(&words));
    said(&guest(platform, "rewrite", 1).share(folder.path()).run(&words));
    // What has trapped in code that is gone is not taken for another's.
    let counted = guest(platform, "trap", 1).option("--report").option("syscalls").share(folder.path()).run(&words);
    said(&counted);
    let text = counted.error_text();
    let line = text.lines().find(|line| line.ends_with("  code that is gone")).expect("a line about it");
    let traps: Option<u64> = line.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    assert!(traps >= Some(40 * times.parse::<u64>().unwrap()), "{text}");
    assert!(!text.lines().any(|line| line.ends_with("/library.so")), "{text}");
}

/// 4,000 multiplications of the base point of P-256 are right, and nothing of libcrypto is other than in its file.
pub fn tables_stay(platform: Platform) {
    needs_memory_file(platform);
    need(&["/usr/bin/python3"]);
    let script = project_root().join("tests/system/tests/rewriting/curve.py");
    let words = ["/usr/bin/python3", script.to_str().unwrap(), "4000"];
    let native = Guest::new(Platform::Native).run(&words);
    if native.status == 3 {
        skip(native.text());
    }
    native.expect_status(0);
    let outcome = guest(platform, "rewrite", 1).run(&words);
    assert_eq!((outcome.status, outcome.text()), (0, native.text()), "{}", outcome.error_text());
}

/// Exceptions that leave handlers which interrupted a call, and threads that are cancelled in one.
pub fn exceptions(platform: Platform) {
    needs_memory_file(platform);
    let program = system_tests::Unmodified { folder: "exceptions", build: Build::Cpp }.path();
    let words = [program.to_str().unwrap(), "--work", "100", "out_of_a_call", "cancelled"];
    let native = Guest::new(Platform::Native).run(&words);
    native.expect_status(0);
    for processors in [1, 2] {
        let outcome = guest(platform, "rewrite", processors).run(&words);
        assert_eq!((outcome.status, outcome.text()), (0, native.text()), "{}", outcome.error_text());
    }
}
