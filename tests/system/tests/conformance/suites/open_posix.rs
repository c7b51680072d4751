//! The Open POSIX Test Suite, as the Linux Test Project keeps it: what POSIX says of each function, a program for each
//! sentence. Its own makefiles want its configuration; each program is one source and one object, so it is compiled
//! here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use system_tests::{Platform, Source, need, scratch, suite_folder};

use super::compare::each;
use super::{Ended, Suite, program};

pub struct OpenPosix;

const SOURCE: Source = Source {
    name: "open-posix",
    home: "https://github.com/linux-test-project/ltp",
    commit: "695827725f4fc14fe583043127e0335c29bbd52d",
};

/// Where it lies in the project's repository.
const WITHIN: &str = "testcases/open_posix_testsuite";
/// Its folders that have tests; `stress` has load.
const PARTS: [&str; 2] = ["conformance", "functional"];
/// What its makefiles compile with.
const FLAGS: [&str; 4] = ["-std=c99", "-D_POSIX_C_SOURCE=200809L", "-D_XOPEN_SOURCE=700", "-w"];

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension() == Some("c".as_ref()) {
            into.push(path);
        }
    }
}

/// As its own scripts tell them: what has a main and is not called a thing to build only.
fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    !name.contains("buildonly") && fs::read(path).is_ok_and(|text| String::from_utf8_lossy(&text).contains("main"))
}

fn built(folder: &Path, unit: &str) -> PathBuf {
    folder.join("built").join(unit.replace('/', "_"))
}

/// A unit's source: `conformance` is not said in names.
fn source(top: &Path, unit: &str) -> PathBuf {
    let part = if unit.starts_with("functional/") { top.to_owned() } else { top.join("conformance") };
    part.join(format!("{unit}.c"))
}

fn compile(folder: &Path, unit: &str, common: &Path) {
    let top = folder.join(WITHIN);
    let (source, output) = (source(&top, unit), built(folder, unit));
    let beside = source.parent().expect("a source lies in a folder");
    let libraries = fs::read_to_string(beside.join("LDLIBS")).unwrap_or_default();
    let mut gcc = Command::new("gcc");
    gcc.args(FLAGS).arg("-I").arg(top.join("include")).arg("-I").arg(beside).arg("-o").arg(&output);
    gcc.arg(&source).arg(common).args(libraries.split_whitespace()).stdin(Stdio::null()).stderr(Stdio::null());
    // What does not compile, compiles on no platform, and is seen where it is run.
    let _ = gcc.status();
}

impl Suite for OpenPosix {
    fn name(&self) -> &'static str {
        SOURCE.name
    }

    fn folder(&self) -> Result<PathBuf, String> {
        suite_folder(&SOURCE)
    }

    fn units(&self, folder: &Path) -> Vec<String> {
        let (top, mut found) = (folder.join(WITHIN), Vec::new());
        for part in PARTS {
            sources(&top.join(part), &mut found);
        }
        let named = found.iter().filter(|path| is_test(path)).filter_map(|path| {
            let name = path.strip_prefix(&top).ok()?.with_extension("");
            Some(name.strip_prefix("conformance").unwrap_or(&name).to_str()?.to_owned())
        });
        let mut units: Vec<_> = named.collect();
        units.sort();
        units
    }

    fn build(&self, folder: &Path, units: &[&str]) {
        static BUILDING: Mutex<()> = Mutex::new(());
        let _turn = BUILDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        need(&["gcc"]);
        fs::create_dir_all(folder.join("built")).expect("the target folder can be written");
        let (top, common) = (folder.join(WITHIN), folder.join("built/common.o"));
        if !common.is_file() {
            let mut gcc = Command::new("gcc");
            gcc.args(FLAGS).arg("-I").arg(top.join("include")).arg("-c").arg(top.join("lib/common.c"));
            assert!(gcc.arg("-o").arg(&common).status().expect("gcc runs").success(), "lib/common.c does not compile");
        }
        let missing: Vec<_> = units.iter().filter(|unit| !built(folder, unit).is_file()).collect();
        each(2, &missing, |unit| compile(folder, unit, &common));
    }

    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended> {
        vec![program::run(platform, unit, &built(folder, unit), scratch().path())]
    }
}
