//! Suites of others, in C, shell, Perl and Tcl: what passes on Linux and is not on the suite's list passes here.
//!
//! A suite is made of *units* (a program, a script), which are run by themselves, and a unit of *checks* (most have
//! one). None of it is part of the project: `tests/system/src/archive.rs` says where it comes from, or
//! `tests/system/src/debian.rs`.

mod alone;
mod bash;
mod busybox;
mod compare;
mod inside;
mod libc_test;
mod list;
mod memcached;
mod nginx;
mod open_posix;
mod perl;
mod pjdfstest;
mod program;
mod redis;
mod tap;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use system_tests::{Check, Platform, Scope, all, skip};

use crate::compare::Count;
use list::List;

/// The least share of what passes on Linux, in percent, over all of a suite; what its list sets apart does not count.
const LEAST: f64 = 99.0;
/// The same of servers' own suites.
const LEAST_OF_SERVERS: f64 = 97.0;
/// The same of programs that start others.
const LEAST_OF_PROGRAMS: f64 = 97.0;

/// A suite of tests that others wrote.
trait Suite: Sync {
    /// The name of its list and its checks.
    fn name(&self) -> &'static str;

    /// Where it lies, or why it cannot be had.
    fn folder(&self) -> Result<PathBuf, String>;

    /// The machine that it runs on, beside a process.
    fn machine(&self) -> Platform {
        Platform::PcRing0
    }

    /// How many units run at once: most sleep. An emulated machine computes while it does.
    fn at_once(&self, platform: Platform) -> usize {
        if platform.is_pc() { 2 } else { 4 }
    }

    /// The least share of what passes on Linux, in percent, over all of it.
    fn least(&self) -> f64 {
        LEAST
    }

    /// Why this machine cannot run it, if so.
    fn obstacle(&self) -> Option<String> {
        None
    }

    /// The names of all that can be run by itself.
    fn units(&self, folder: &Path) -> Vec<String>;

    /// Makes units ready, once for all platforms. One that does not compile fails later, on Linux too.
    fn build(&self, folder: &Path, units: &[&str]);

    /// Runs a unit, and says what became of its checks.
    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended>;
}

/// What became of a check.
#[derive(Clone, Debug)]
struct Ended {
    /// The unit's name, and behind a colon the check's own where a unit has several.
    name: String,
    passes: bool,
    /// Why not.
    why: String,
}

/// How far a group of a suite came on a platform.
struct Figure {
    platform: Platform,
    suite: &'static str,
    count: Count,
}

static FIGURES: Mutex<Vec<Figure>> = Mutex::new(Vec::new());

const SUITES: [&'static dyn Suite; 9] = [
    &libc_test::LibcTest,
    &open_posix::OpenPosix,
    &pjdfstest::Pjdfstest,
    &redis::Redis,
    &memcached::Memcached,
    &nginx::Nginx,
    &bash::Bash,
    &busybox::Busybox,
    &perl::Perl,
];

/// The checks: a suite's groups, which are long, and where not all of them are wanted its sample.
pub fn checks() -> Vec<Check> {
    let mut checks = Vec::new();
    for suite in SUITES {
        let list = list::read(suite.name());
        checks.extend(list.group_names().into_iter().map(|group| check(suite, list, group).long()));
        checks.extend((!all()).then(|| check(suite, list, list::SAMPLE)));
    }
    checks
}

fn check(suite: &'static dyn Suite, list: &'static List, group: &'static str) -> Check {
    let name: &'static str = Box::leak(format!("{}/{group}", suite.name()).into_boxed_str());
    let wanted = |platform| platform == Platform::Process || platform == suite.machine();
    Check::where_wanted(name, Scope::Guests, wanted, move |platform| {
        let folder = suite.obstacle().map_or_else(|| suite.folder(), Err);
        let folder = folder.unwrap_or_else(|obstacle| skip(obstacle));
        let (count, wrong) = compare::group(suite, list, &folder, platform, group);
        eprintln!("figure: {}: {name}: {count}", platform.name());
        if group != list::SAMPLE {
            FIGURES.lock().unwrap().push(Figure { platform, suite: suite.name(), count });
        }
        assert!(!count.is_empty(), "nothing of it passes on Linux");
        assert!(wrong.is_empty(), "not as tests/conformance/{}.toml says:\n{}", suite.name(), wrong.join("\n"));
    })
}

/// Prints how much of each suite passes, and whether that is enough where all of it has run.
pub fn enough() -> bool {
    let figures = FIGURES.lock().unwrap();
    let mut enough = true;
    for (suite, least, machine) in SUITES.map(|suite| (suite.name(), suite.least(), suite.machine())) {
        for platform in [Platform::Process, machine] {
            let mine = || figures.iter().filter(|figure| figure.suite == suite && figure.platform == platform);
            let Some(sum) = mine().map(|figure| figure.count).reduce(Count::plus) else { continue };
            eprintln!("figure: {}: {suite}: {sum}", platform.name());
            enough &= mine().count() < list::read(suite).group_names().len() || sum.percent() >= least;
        }
    }
    enough
}
