//! The measured program, `apps/bench-linux`: compiled once, started natively and in whittle, one operation a start.
//!
//! An operation per start keeps the sides close together in time, and one that ends its program takes no other along.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::rounds::Reading;
use super::start::{Ended, run_within};
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::setup;

/// Operations of one group, `calls`, `threads`, `processes`, `files`, `sockets` or `share`, and where the program lies
/// that measures them.
pub struct Program {
    /// The static program.
    pub path: PathBuf,
    /// The group's operations in their order.
    pub operations: Vec<String>,
}

impl Program {
    /// Compiles it with the C compiler that `./whittle` itself needs.
    pub fn build(house: &House, group: &str) -> Result<Self, Failure> {
        let folder = work_folder(house)?;
        let sources = house.root.join("apps/bench-linux");
        // Only one group needs the library, and none of the others' figures is to depend on it.
        let path = if group == "files" && super::guest::has_sqlite() {
            let path = folder.join("bench-linux-sqlite");
            compile(&sources, &path, &["-DWITH_SQLITE"], &["-lsqlite3"])?;
            path
        } else {
            let path = folder.join("bench-linux");
            compile(&sources, &path, &[], &[])?;
            path
        };
        let mut command = Command::new(&path);
        command.args(["list", group]);
        let Ended::Well(printed) = run_within(command)? else {
            return Err(Failure::ours(format!("{} does not say what it measures", path.display())));
        };
        let operations = printed.out.lines().map(str::to_owned).collect();
        Ok(Self { path, operations })
    }

    /// Keeps these operations only; all of them where none is named. Each has to be one of the group's.
    pub fn keep(&mut self, only: &[String]) -> Result<(), Failure> {
        if let Some(unknown) = only.iter().find(|name| !self.operations.contains(name)) {
            let known = self.operations.join(", ");
            return Err(Failure::ours(format!("there is no operation {unknown}; there are {known}")));
        }
        self.operations.retain(|name| only.is_empty() || only.contains(name));
        Ok(())
    }
}

/// Where everything of `bench` is built and kept.
pub fn work_folder(house: &House) -> Result<PathBuf, Failure> {
    let folder = house.target.join("bench");
    fs::create_dir_all(&folder).doing(format!("make {}", folder.display()))?;
    Ok(folder)
}

/// Compiles the C files of a folder into a static program with threads, with `libraries` behind them.
pub fn compile(folder: &Path, program: &Path, flags: &[&str], libraries: &[&str]) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).doing(format!("read {}", folder.display()))?;
    let mut sources: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    sources.retain(|path| path.extension() == Some(OsStr::new("c")));
    sources.sort();
    setup::things(&["gcc"])?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-static", "-no-pie", "-pthread"]);
    // Whole at once: another command may be starting it.
    let new = program.with_extension(std::process::id().to_string());
    gcc.args(flags).arg("-o").arg(&new).args(&sources).args(libraries).arg("-lm").stdin(Stdio::null());
    let output = gcc.output().doing("start gcc")?;
    if output.status.success() {
        fs::rename(&new, program).doing(format!("write {}", program.display()))
    } else {
        // What it says of a program that links is about functions of the libraries that nobody calls.
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        Err(Failure::ours(format!("{} does not build, see above", folder.display())))
    }
}

/// The program's lines, `NAME SAMPLE SAMPLE ...` or `NAME missing WHY`, each value times `scale`. Others are headings.
pub fn readings(text: &str, scale: f64) -> Vec<(String, Reading)> {
    let line = |line: &str| {
        let (name, words) = line.split_once(' ')?;
        if let Some(why) = words.strip_prefix("missing ") {
            return Some((name.to_owned(), Reading::Missing(why.to_owned())));
        }
        let samples: Option<Vec<f64>> = words.split(' ').map(|word| Some(word.parse::<f64>().ok()? * scale)).collect();
        Some((name.to_owned(), Reading::Samples(samples?)))
    };
    text.lines().filter_map(line).collect()
}

/// What a run tells about one operation; a run that did not end well says how it ended.
pub fn reading_of(ended: Ended, operation: &str, scale: f64) -> Reading {
    let missing = |why: &str| Reading::Missing(why.to_owned());
    match ended {
        Ended::Well(printed) => {
            let found = readings(&printed.out, scale).into_iter().find(|(name, _)| name == operation);
            found.map_or_else(|| missing("no-figure"), |(_, reading)| reading)
        }
        Ended::Badly { status, .. } => Reading::Missing(status),
        Ended::Never => missing("hangs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::start::Printed;

    const TEXT: &str = "operation ticks\ngetppid 61.00 62.50\nfork-wait missing ENOSYS\nbroken 1 x\n";

    #[test]
    fn lines_become_readings() {
        let expected = [
            ("getppid".to_owned(), Reading::Samples(vec![122.0, 125.0])),
            ("fork-wait".to_owned(), Reading::Missing("ENOSYS".to_owned())),
        ];
        assert_eq!(readings(TEXT, 2.0), expected);
    }

    #[test]
    fn how_a_run_ended_stands_in_the_table() {
        let printed = || Printed { out: TEXT.into(), err: String::new() };
        let missing = |why: &str| Reading::Missing(why.into());
        assert_eq!(reading_of(Ended::Well(printed()), "fork-wait", 1.0), missing("ENOSYS"));
        assert_eq!(reading_of(Ended::Well(printed()), "stat", 1.0), missing("no-figure"));
        let badly = Ended::Badly { status: "status-139".into(), what: String::new() };
        assert_eq!(reading_of(badly, "stat", 1.0), missing("status-139"));
        assert_eq!(reading_of(Ended::Never, "stat", 1.0), missing("hangs"));
    }
}
