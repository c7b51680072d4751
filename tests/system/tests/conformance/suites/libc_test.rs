//! libc-test, which musl is tested with: functions, mathematics and regressions, by glibc and by musl, most of them as
//! a dynamic and as a static program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use system_tests::{Platform, Source, need, suite_folder};

use super::{Ended, Suite, program};

pub struct LibcTest;

const SOURCE: Source = Source {
    name: "libc-test",
    home: "https://github.com/jzh18/libc-test",
    commit: "692542b453f20f4c5645114ea448dd59eccebb6c",
};

/// C libraries by the compiler that brings them.
const LIBRARIES: [(&str, &str); 2] = [("glibc", "gcc"), ("musl", "musl-gcc")];
/// What is run; `api` only compiles.
const PARTS: [&str; 3] = ["functional/", "regression/", "math/"];

/// Tests find each other's files below `src` of where they are run.
fn built(folder: &Path, library: &str) -> PathBuf {
    folder.join("built").join(library).join("src")
}

/// The suite's makefile for one of the libraries.
fn make(folder: &Path, (library, compiler): (&str, &str)) -> Command {
    need(&["gcc", "musl-gcc"]);
    let out = built(folder, library);
    let mut make = Command::new("make");
    make.arg("-C").arg(folder).args(["-s", "-k", "-j2"]).stdin(Stdio::null());
    make.arg(format!("B={}", out.display())).arg(format!("CC={compiler}"));
    if library == "musl" {
        // Debian's musl has all in one library, and lacks some of the empty ones that the makefile names.
        make.arg(format!("LDLIBS={}/common/libtest.a -lpthread -lm -lrt", out.display()));
    }
    make
}

/// What the makefile calls by this word, without the folder.
fn listed(folder: &Path, library: (&str, &str), word: &str) -> Vec<String> {
    let output = make(folder, library).arg("debug").output().expect("make runs");
    let (text, out) = (String::from_utf8_lossy(&output.stdout), built(folder, library.0));
    let line = text.lines().find_map(|line| line.strip_prefix(word)).expect("the makefile lists its targets");
    let within = |target: &str| Some(Path::new(target).strip_prefix(&out).ok()?.to_str()?.to_owned());
    line.split_whitespace().filter_map(within).collect()
}

impl Suite for LibcTest {
    fn name(&self) -> &'static str {
        SOURCE.name
    }

    fn folder(&self) -> Result<PathBuf, String> {
        suite_folder(&SOURCE)
    }

    fn units(&self, folder: &Path) -> Vec<String> {
        let mut units = Vec::new();
        for library in LIBRARIES {
            let targets = listed(folder, library, "BINS ");
            let run = targets.iter().filter(|target| PARTS.iter().any(|part| target.starts_with(part)));
            units.extend(run.filter_map(|target| Some(format!("{}/{}", library.0, target.strip_suffix(".exe")?))));
        }
        units
    }

    fn build(&self, folder: &Path, units: &[&str]) {
        static BUILDING: Mutex<()> = Mutex::new(());
        let _turn = BUILDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for library in LIBRARIES {
            let out = built(folder, library.0);
            let mine = units.iter().filter_map(|unit| unit.strip_prefix(library.0)?.strip_prefix('/'));
            let programs = mine.map(|unit| out.join(format!("{unit}.exe")));
            let targets: Vec<_> = programs.filter(|program| !program.is_file()).collect();
            if targets.is_empty() {
                continue;
            }
            let objects = listed(folder, library, "LIBS ").into_iter().filter(|name| name.ends_with(".so"));
            let objects: Vec<_> = objects.map(|name| out.join(name)).collect();
            // What does not compile, compiles on no platform, and is seen where it is run.
            let _ = make(folder, library).args(objects).args(targets).output();
        }
    }

    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended> {
        let (library, name) = unit.split_once('/').expect("a unit is named by its library");
        let out = built(folder, library);
        let place = out.parent().expect("it lies in the library's folder");
        vec![program::run(platform, unit, &out.join(format!("{name}.exe")), place)]
    }
}
