//! A folder with a Cargo.toml where a program is expected: building a Rust program as a static Linux binary.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::Message;

use crate::failure::{Doing, Failure};
use crate::house::{House, STATIC};

/// Builds a folder's program in release mode and returns its absolute path. Cargo's words go to standard error.
pub fn build(house: &House, folder: &Path) -> Result<PathBuf, Failure> {
    let name = folder.display();
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--target", STATIC, "--message-format=json-render-diagnostics"]);
    // Examples of ours are built where everything of ours is; other people's folders as they always are.
    if folder.canonicalize().is_ok_and(|folder| folder.starts_with(&house.root)) {
        cargo.arg("--target-dir").arg(house.target.join("apps"));
    }
    cargo.current_dir(folder).env_remove("RUSTFLAGS").stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = cargo.spawn().doing("start cargo; install Rust from https://rustup.rs")?;
    let output = child.stdout.take().ok_or_else(|| Failure::ours("cargo has no output"))?;
    let programs: Vec<PathBuf> = Message::parse_stream(BufReader::new(output)).flatten().filter_map(program).collect();
    let status = child.wait().doing("wait for cargo")?;
    if !status.success() {
        return Err(Failure::ours(format!("{name} does not build, see above")));
    }
    match &programs[..] {
        [program] => std::path::absolute(program).doing(format!("find {}", program.display())),
        [] => Err(Failure::not_found(format!("{name} builds no program: it is a library"))),
        _ => Err(Failure::not_found(format!("{name} builds several programs; build it and name the one you mean"))),
    }
}

fn program(message: Message) -> Option<PathBuf> {
    match message {
        Message::CompilerArtifact(artifact) => artifact.executable.map(PathBuf::from),
        _ => None,
    }
}
