//! pjdfstest, which file systems are tested with: shell scripts that call a program for each check.
//!
//! The scripts run on the host, in bash, and `tests/conformance/pjdfstest.c` on the machine under test answers their
//! calls, in one process; `tests/conformance/pjdfstest.conf` joins the two.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::time::Duration;

use system_tests::{Guest, Platform, Running, Source, project_root, scratch, suite_folder};

use super::{Ended, Suite};

pub struct Pjdfstest;

const SOURCE: Source = Source {
    name: "pjdfstest",
    home: "https://github.com/pjd/pjdfstest",
    commit: "85a8aea9e685999ef0540392fd80535f873d7ff7",
};

/// Starts the guest beside the script `$0`, which then speaks with it.
const BESIDE: &str = r#"
coproc GUEST { exec "$@"; }
exec 8>&"${GUEST[1]}" 9<&"${GUEST[0]}"
. "$0"
"#;

/// What the suite's configuration finds on any Linux of today.
const HAVE: [&str; 20] = [
    "SYS_SYSMACROS_H",
    "FACCESSAT",
    "FCHMODAT",
    "FCHOWNAT",
    "FSTATAT",
    "LCHMOD",
    "LINKAT",
    "MKDIRAT",
    "MKFIFOAT",
    "MKNODAT",
    "OPENAT",
    "POSIX_FALLOCATE",
    "READLINKAT",
    "RENAMEAT",
    "SYMLINKAT",
    "UNLINKAT",
    "UTIMENSAT",
    "STRUCT_STAT_ST_ATIM",
    "STRUCT_STAT_ST_CTIM",
    "STRUCT_STAT_ST_MTIM",
];

fn driver(folder: &Path) -> PathBuf {
    folder.join("built/driver")
}

/// Compiles the driver with the suite's source in it, and puts our settings where the scripts look for theirs.
fn prepare(folder: &Path) {
    let (built, ours) = (folder.join("built"), project_root().join("tests/conformance"));
    fs::create_dir_all(&built).expect("the target folder can be written");
    let lines: String = HAVE.iter().map(|name| format!("#define HAVE_{name}\n")).collect();
    fs::write(built.join("config.h"), format!("#define _GNU_SOURCE\n{lines}")).expect("the folder was made above");
    fs::copy(folder.join("pjdfstest.c"), built.join("pjdfstest-source.c")).expect("the suite has its program");
    fs::copy(ours.join("pjdfstest.conf"), folder.join("tests/conf")).expect("the target folder can be written");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-w", "-I"]).arg(&built).arg("-o").arg(driver(folder)).arg(ours.join("pjdfstest.c"));
    assert!(gcc.status().expect("gcc runs").success(), "pjdfstest.c does not compile");
    // The scripts look for an executable file of this name; what they call is a function of the settings.
    fs::copy(driver(folder), folder.join("pjdfstest")).expect("the target folder can be written");
}

/// What a script's line says of a check.
fn check(unit: &str, line: &str) -> Option<Ended> {
    let (passes, rest) = match line.strip_prefix("not ") {
        Some(rest) => (false, rest),
        None => (true, line),
    };
    let rest = rest.strip_prefix("ok ")?;
    let (number, why) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(Ended { name: format!("{unit}:{number}"), passes, why: why.to_owned() })
}

impl Suite for Pjdfstest {
    fn name(&self) -> &'static str {
        SOURCE.name
    }

    fn folder(&self) -> Result<PathBuf, String> {
        suite_folder(&SOURCE)
    }

    fn obstacle(&self) -> Option<String> {
        let root = rustix::process::geteuid().is_root();
        (!root).then(|| "it becomes other users, and so wants to be root".to_owned())
    }

    fn units(&self, folder: &Path) -> Vec<String> {
        let mut units = Vec::new();
        for kind in fs::read_dir(folder.join("tests")).expect("the suite has tests").flatten() {
            for script in fs::read_dir(kind.path()).into_iter().flatten().flatten() {
                let name = Path::new(&kind.file_name()).join(script.file_name());
                if name.extension() == Some("t".as_ref()) {
                    units.push(name.with_extension("").to_str().expect("the suite's names are text").to_owned());
                }
            }
        }
        units.sort();
        units
    }

    fn build(&self, folder: &Path, _: &[&str]) {
        static READY: Once = Once::new();
        READY.call_once_force(|_| prepare(folder));
    }

    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended> {
        let (place, driver) = (scratch(), driver(folder));
        let guest = Guest::new(platform).command(&[driver.to_str().expect("the target folder's path is text")]);
        let mut bash = Command::new("bash");
        bash.arg("-c").arg(BESIDE).arg(folder.join("tests").join(format!("{unit}.t")));
        bash.arg(guest.get_program()).args(guest.get_args()).current_dir(place.path());
        for (name, value) in guest.get_envs().filter_map(|entry| Some((entry.0, entry.1?))) {
            bash.env(name, value);
        }
        let limit = Duration::from_secs(if platform.is_pc() { 900 } else { 300 });
        let outcome = Running::start(bash, Some(Vec::new())).finish(limit);
        outcome.text().lines().filter_map(|line| check(unit, line)).collect()
    }
}
