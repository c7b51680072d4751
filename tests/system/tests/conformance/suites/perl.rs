//! perl's own tests of operators and of files, from Debian's source of the perl that is installed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::time::Duration;

use system_tests::{Platform, debian_source, need};

use super::{Ended, Suite, inside, program, tap};

pub struct Perl;

/// Folders of the suite: files, and operators and functions.
const PARTS: [&str; 2] = ["io", "op"];

/// Prints where the perl that is installed has its modules: the least of them are Debian's package `perl-base`.
const MODULES: &str = r#"
use Config;
print "$_\n" for grep(/perl-base/, @INC), @Config{"archlibexp", "privlibexp"};
"#;

/// A script's first line may ask for options, as `-T`: the command has to have them, too. perl is not the first process
/// and leads no session, as where the suite's own harness runs it.
const RUN: &str = r#"
cd t && perl $(sed -n '1s/^#!.*perl//p' "$0.t") "$0.t" 2>&1 </dev/null
exit $?
"#;

/// Where each unit's copy is taken from: the scripts, and links to all that is only read.
fn built(folder: &Path) -> PathBuf {
    folder.join("built")
}

fn modules_of_perl() -> Vec<PathBuf> {
    let output = Command::new("perl").args(["-e", MODULES]).output().expect("perl runs");
    String::from_utf8_lossy(&output.stdout).lines().map(PathBuf::from).collect()
}

fn copy(option: &str, from: &Path, to: &Path) {
    let mut copy = Command::new("cp");
    copy.arg(option).arg(from.join(".")).arg(to);
    assert!(copy.status().is_ok_and(|status| status.success()), "{} can be copied", from.display());
}

/// Links all that a folder has, but for some names, into another.
fn link_entries(from: &Path, but: &[&str], to: &Path) {
    for entry in fs::read_dir(from).expect("the source is a folder").flatten() {
        let name = entry.file_name().into_string().expect("the source's names are text");
        if !but.contains(&name.as_str()) {
            symlink(entry.path(), to.join(name)).expect("the target folder can be written");
        }
    }
}

/// The scripts take modules from `../lib` alone, where a perl that was built from the source has them. They write into
/// their folders, and change into some.
fn prepare(folder: &Path) {
    let (built, modules) = (built(folder), folder.join("modules"));
    let _ = fs::remove_dir_all(&built);
    let _ = fs::remove_dir_all(&modules);
    fs::create_dir_all(&modules).expect("the target folder can be written");
    // What is there stays: the modules of this perl come before those of the source.
    modules_of_perl().iter().for_each(|from| copy("-aLn", from, &modules));
    copy("-aLn", &folder.join("lib"), &modules);
    let (scripts, mine) = (folder.join("t"), built.join("t"));
    for part in PARTS {
        fs::create_dir_all(mine.join(part)).expect("the target folder can be written");
        copy("-a", &scripts.join(part), &mine.join(part));
    }
    link_entries(&scripts, &[&PARTS[..], &["perl"]].concat(), &mine);
    link_entries(folder, &["t", "lib", "built", "modules"], &built);
    let link = |from: &Path, name: &str| symlink(from, built.join(name)).expect("the target folder can be written");
    link(&modules, "lib");
    link(Path::new("/usr/bin/perl"), "t/perl");
}

impl Suite for Perl {
    fn name(&self) -> &'static str {
        "perl"
    }

    fn folder(&self) -> Result<PathBuf, String> {
        need(&["apt-get", "dpkg-source", "perl"]);
        debian_source("perl")
    }

    fn machine(&self) -> Platform {
        Platform::PcRing3
    }

    fn least(&self) -> f64 {
        super::LEAST_OF_PROGRAMS
    }

    fn units(&self, folder: &Path) -> Vec<String> {
        let of = |part: &str| -> Vec<_> {
            let scripts = tap::scripts(&folder.join("t").join(part));
            scripts.into_iter().map(|name| format!("{part}/{name}")).collect()
        };
        PARTS.into_iter().flat_map(of).collect()
    }

    fn build(&self, folder: &Path, _: &[&str]) {
        static READY: Once = Once::new();
        READY.call_once_force(|_| prepare(folder));
    }

    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended> {
        let limit = Duration::from_secs(if platform.is_pc() { 1200 } else { 300 });
        let outcome = inside::run(platform, &built(folder), &["/bin/sh", "-c", RUN, unit], limit);
        let mut checks = tap::checks(unit, &outcome.text());
        // A script that ends before its time has said "ok" so far.
        let passes = outcome.status == 0 && !outcome.timed_out;
        let why = if passes { String::new() } else { program::last_words(&outcome) };
        checks.push(Ended { name: format!("{unit} ends well"), passes, why });
        checks
    }
}
