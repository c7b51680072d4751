//! Programs that need the distribution's libraries, built from `tests/system/programs/installed`.

use std::path::PathBuf;
use std::process::Command;

use crate::programs::{build, files_below};
use crate::{need, project_root, work_folder};

fn source(name: &str) -> PathBuf {
    project_root().join("tests/system/programs/installed").join(name)
}

/// The C program, with position-independent code.
#[must_use]
pub fn c() -> PathBuf {
    compiled("dynamic-c", &source("main.c"))
}

/// The program that tells where things are; see `programs/aslr/main.c`.
#[must_use]
pub fn places() -> PathBuf {
    compiled("places", &project_root().join("tests/system/programs/aslr/main.c"))
}

fn compiled(name: &str, source: &PathBuf) -> PathBuf {
    need(&["gcc"]);
    build(name, std::slice::from_ref(source), |output| {
        let mut command = Command::new("gcc");
        command.args(["-O1", "-Wall", "-Wextra", "-pie", "-fPIE", "-pthread", "-o"]).arg(output).arg(source);
        command
    })
}

/// The Go program, which calls C.
#[must_use]
pub fn go() -> PathBuf {
    need(&["go", "gcc"]);
    let folder = source("go");
    build("dynamic-go", &files_below(&folder), |output| {
        let mut command = Command::new("go");
        command.current_dir(&folder).args(["build", "-trimpath", "-o"]).arg(output).arg(".");
        command.env("CGO_ENABLED", "1").env("GOTOOLCHAIN", "local").env("GOFLAGS", "-mod=mod");
        command.env("GOCACHE", work_folder().join("go"));
        command
    })
}

/// The Rust program, with the standard library inside and glibc outside.
#[must_use]
pub fn rust() -> PathBuf {
    let source = source("main.rs");
    build("dynamic-rust", std::slice::from_ref(&source), |output| {
        let mut command = Command::new("rustc");
        command.current_dir(project_root()).args(["--edition", "2021", "-O", "-o"]).arg(output).arg(&source);
        command.args(["--target", "x86_64-unknown-linux-gnu"]);
        command
    })
}

const JAVA: &str = r#"javac -d "$1.classes" "$2" && jar cf "$1" -C "$1.classes" . && rm -r "$1.classes""#;

/// The archive with the classes of the Java program.
#[must_use]
pub fn java() -> PathBuf {
    need(&["javac"]);
    let source = source("Main.java");
    build("classes.jar", std::slice::from_ref(&source), |output| {
        let mut command = Command::new("sh");
        command.args(["-ec", JAVA, "sh"]).arg(output).arg(&source);
        command
    })
}
