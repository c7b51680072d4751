//! The programs that are run unmodified by Linux and by whittle (`tests/system/programs`), each built in several ways.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::{build, cargo_build, compile, files_below};
use crate::{LibC, need, project_root, work_folder};

/// How a program is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// From C, with POSIX threads.
    C(LibC),
    /// From C, with OpenMP on glibc.
    OpenMp,
    /// From C++ on glibc.
    Cpp,
    /// From Rust on musl.
    Rust,
    /// From Go, without C.
    Go,
}

/// A program and how it is built: two of these may share their sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmodified {
    /// The folder below `tests/system/programs`.
    pub folder: &'static str,
    /// How it is built.
    pub build: Build,
}

impl Unmodified {
    /// A name that no other has, of letters and underscores.
    #[must_use]
    pub fn name(self) -> String {
        let folder = self.folder.replace('-', "_");
        match self.build {
            Build::C(library) => format!("{folder}_{}", library.name().replace('-', "_")),
            _ => folder,
        }
    }

    /// Builds it, if it is not there, and says where it is.
    #[must_use]
    pub fn path(self) -> PathBuf {
        let programs = project_root().join("tests/system/programs");
        let folder = programs.join(self.folder);
        let files = [files_below(&folder), files_below(&programs.join("common"))].concat();
        match self.build {
            Build::C(library) => compile(self.folder, library, &files, &["-pthread"]),
            Build::OpenMp => compile(self.folder, LibC::Glibc, &files, &["-pthread", "-fopenmp"]),
            Build::Cpp => cpp(self.folder, &files_below(&folder)),
            Build::Rust => cargo_build(&folder, self.folder),
            Build::Go => go(self.folder, &folder),
        }
    }
}

/// Handlers of faults may throw, hence the exceptions of what is no call.
const CPP_FLAGS: [&str; 9] =
    ["-std=gnu++20", "-O2", "-g1", "-Wall", "-Wextra", "-fnon-call-exceptions", "-pthread", "-static", "-no-pie"];

fn cpp(name: &str, files: &[PathBuf]) -> PathBuf {
    need(&["g++"]);
    let sources = files.iter().filter(|path| path.extension() == Some("cpp".as_ref()));
    build(name, files, |output| {
        let mut command = Command::new("g++");
        command.args(CPP_FLAGS).args(sources).arg("-o").arg(output);
        command
    })
}

fn go(name: &str, folder: &Path) -> PathBuf {
    need(&["go"]);
    build(name, &files_below(folder), |output| {
        let mut command = Command::new("go");
        command.current_dir(folder).args(["build", "-trimpath", "-o"]).arg(output).arg(".");
        command.env("CGO_ENABLED", "0").env("GOTOOLCHAIN", "local").env("GOFLAGS", "-mod=mod");
        command.env("GOCACHE", work_folder().join("go"));
        command
    })
}
