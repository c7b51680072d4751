//! A module here and on Linux, beside the list.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use system_tests::Platform;

use crate::list::List;
use crate::module::{self, Report};

/// Tests that pass on Linux, and what of them passes here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    linux: usize,
    here: usize,
    /// Not in the others: what a list sets apart.
    apart: usize,
}

impl Count {
    /// One test that passes on Linux.
    pub const fn of(passes: bool) -> Self {
        Self { linux: 1, here: passes as usize, apart: 0 }
    }

    /// One that counts on neither side.
    pub const fn apart() -> Self {
        Self { linux: 0, here: 0, apart: 1 }
    }

    /// Whether nothing was counted, which no list asks for.
    pub const fn is_empty(self) -> bool {
        self.linux + self.apart == 0
    }

    pub const fn plus(self, other: Self) -> Self {
        Self { linux: self.linux + other.linux, here: self.here + other.here, apart: self.apart + other.apart }
    }

    pub fn percent(self) -> f64 {
        self.here as f64 * 100.0 / self.linux.max(1) as f64
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { linux, here, apart } = self;
        write!(formatter, "{here} of {linux} tests that pass on Linux ({:.2} %), {apart} apart", self.percent())
    }
}

/// Linux' report of a module, which both platforms are held to.
fn linux(module: &str) -> Arc<Report> {
    static REPORTS: Mutex<BTreeMap<String, Arc<OnceLock<Arc<Report>>>>> = Mutex::new(BTreeMap::new());
    let cell = REPORTS.lock().unwrap().entry(module.to_owned()).or_default().clone();
    cell.get_or_init(|| Arc::new(module::run(Platform::Native, module))).clone()
}

/// Runs a module on a platform and holds it to Linux and the list: how much passes, and a line for each test that is
/// not as the list says.
pub fn module(list: &List, platform: Platform, name: &str) -> (Count, Vec<String>) {
    let linux = linux(name);
    let here = module::run(platform, name);
    let (differing, unsteady) = (list.differing(platform, name), list.unsteady(platform, name));
    let mut wrong = Vec::new();
    for test in differing.iter().chain(&unsteady).filter(|test| !here.has(test)) {
        wrong.push(format!("{test}: there is no such test"));
    }
    let (mut count, mut doubted) = (Count::default(), Vec::new());
    for (test, _) in linux.passed().filter(|entry| !unsteady.contains(&entry.0)) {
        let passes = here.get(test).is_some_and(|ended| ended.how == "pass");
        count.linux += 1;
        count.here += usize::from(passes);
        match (passes, differing.contains(&test)) {
            (true, true) => wrong.push(format!("{test}: is listed, but passes")),
            (false, false) => doubted.push(test),
            _ => {}
        }
    }
    for (test, why) in failing_again(platform, name, &here, doubted) {
        count.here += usize::from(why.is_none());
        wrong.extend(why.map(|why| format!("{test}: {why}")));
    }
    (count, wrong)
}

/// Why tests fail that should not: alone, too, for many measure time, and the machine may be busy.
fn failing_again<'a>(
    platform: Platform,
    name: &str,
    here: &Report,
    tests: Vec<&'a str>,
) -> Vec<(&'a str, Option<String>)> {
    if tests.is_empty() {
        return Vec::new();
    }
    // Where most fail, nothing is learned from a second time.
    let second = (tests.len() <= 20).then(|| module::again(platform, name, &tests));
    let why = |test: &str| {
        let passes = second.as_ref().and_then(|report| report.get(test)).is_some_and(|ended| ended.how == "pass");
        let first = here.get(test).map_or_else(|| here.absent(), |ended| format!("{}: {}", ended.how, ended.why));
        if passes {
            eprintln!("{}: {name}.{test} passed at the second time; at the first {first}", platform.name());
        }
        (!passes).then_some(first)
    };
    tests.into_iter().map(|test| (test, why(test))).collect()
}
