//! bash's own tests, from Debian's source of the bash that is installed: each `run-NAME` has the shell run a script,
//! and compares what it said with what is right.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::time::Duration;

use system_tests::{Platform, debian_source, need};

use super::{Ended, Suite, inside, program};

pub struct Bash;

/// Small programs of the suite's, which its scripts call.
const HELPERS: [&str; 4] = ["printenv", "recho", "xcase", "zecho"];
/// What its makefile says of the machine, as far as the helpers ask.
const HAVE: [&str; 3] = ["-DHAVE_STRING_H", "-DHAVE_STDLIB_H", "-DHAVE_UNISTD_H"];
/// They run others: all, a few, and a profiler's.
const COLLECTIONS: [&str; 3] = ["all", "minimal", "gprof"];

/// As `run-all` sets what a script needs, but for its terminal, which is nobody's here.
const RUN: &str = r#"
export THIS_SH=/bin/bash TMPDIR="$PWD" BASH_TSTOUT="$PWD/said" BUILD_DIR="$PWD" PATH=".:$PATH"
exec sh "./run-$0" </dev/null
"#;

fn compile(folder: &Path, helper: &str) {
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-I"]).arg(folder).arg("-I").arg(folder.join("include")).args(HAVE);
    gcc.arg("-o").arg(folder.join("tests").join(helper)).arg(folder.join(format!("support/{helper}.c")));
    assert!(gcc.status().expect("gcc runs").success(), "{helper}.c does not compile");
}

impl Suite for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn folder(&self) -> Result<PathBuf, String> {
        need(&["apt-get", "bash", "dpkg-source", "gcc"]);
        debian_source("bash")
    }

    fn machine(&self) -> Platform {
        Platform::PcRing3
    }

    fn least(&self) -> f64 {
        super::LEAST_OF_PROGRAMS
    }

    fn units(&self, folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder.join("tests")).expect("the source has its tests").flatten();
        let names = entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_prefix("run-")?.to_owned()));
        let mut units: Vec<_> = names.filter(|name| !COLLECTIONS.contains(&name.as_str())).collect();
        units.sort();
        units
    }

    fn build(&self, folder: &Path, _: &[&str]) {
        static READY: Once = Once::new();
        READY.call_once_force(|_| HELPERS.iter().for_each(|helper| compile(folder, helper)));
    }

    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended> {
        // One sleeps for minutes.
        let limit = Duration::from_secs(if platform.is_pc() { 1200 } else { 300 });
        let outcome = inside::run(platform, &folder.join("tests"), &["/bin/sh", "-c", RUN, unit], limit);
        let passes = outcome.status == 0 && !outcome.timed_out;
        let why = if passes { String::new() } else { program::last_words(&outcome) };
        vec![Ended { name: unit.to_owned(), passes, why }]
    }
}
