//! A group of a suite here and on Linux, beside the list.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use system_tests::{Platform, work_folder};

use super::list::{List, Standing};
use super::{Ended, Suite};
use crate::compare::Count;

/// How often a check that fails and should not is run, for many measure time, and the machine may be busy.
const TIMES: usize = 3;
/// Where more fail than this, nothing is learned from a second time.
const MANY: usize = 20;

/// Calls `work` for each item, on some threads.
pub fn each<T: Sync>(threads: usize, items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

/// What became of a unit's checks, once somebody has run it.
type Once = Arc<OnceLock<Arc<Vec<Ended>>>>;

/// What Linux says of a unit, which both platforms are held to.
fn linux(suite: &dyn Suite, folder: &Path, unit: &str) -> Arc<Vec<Ended>> {
    static ENDED: Mutex<BTreeMap<String, Once>> = Mutex::new(BTreeMap::new());
    let name = format!("{}/{unit}", suite.name());
    let cell = ENDED.lock().unwrap().entry(name).or_default().clone();
    cell.get_or_init(|| Arc::new(suite.run(folder, Platform::Native, unit))).clone()
}

/// Runs a group on a platform and holds it to Linux and the list: how much passes, and a line for each check that is
/// not as the list says.
pub fn group(suite: &dyn Suite, list: &List, folder: &Path, platform: Platform, group: &str) -> (Count, Vec<String>) {
    let all = suite.units(folder);
    let units = list.units(group, &all);
    suite.build(folder, &units);
    let result = Mutex::new((Count::default(), Vec::new()));
    let said = Mutex::new(Vec::new());
    let doubted = AtomicUsize::new(0);
    each(suite.at_once(platform), &units, |unit| {
        let there = linux(suite, folder, unit);
        if !there.iter().any(|ended| ended.passes) {
            return;
        }
        let mut here = if list.may_run(unit) { suite.run(folder, platform, unit) } else { Vec::new() };
        said.lock().unwrap().extend(here.iter().map(line));
        for time in 1..TIMES {
            if !doubtful(list, platform, &there, &here) || doubted.fetch_add(1, Ordering::Relaxed) > MANY * TIMES {
                break;
            }
            let again = suite.run(folder, platform, unit);
            eprintln!("{}: {unit} is run again, time {}: {}", platform.name(), time + 1, failures(&here));
            merge(&mut here, &again);
        }
        let mut result = result.lock().unwrap();
        for ended in there.iter().filter(|ended| ended.passes) {
            let (count, wrong) = judge(list, platform, ended, here.iter().find(|each| each.name == ended.name));
            result.0 = result.0.plus(count);
            result.1.extend(wrong);
        }
    });
    leave(platform, suite.name(), group, said.into_inner().unwrap());
    result.into_inner().unwrap()
}

/// One check that passes on Linux.
fn judge(list: &List, platform: Platform, linux: &Ended, here: Option<&Ended>) -> (Count, Option<String>) {
    let (name, passes) = (&linux.name, here.is_some_and(|here| here.passes));
    let why = here.map_or("it was not run", |here| here.why.as_str());
    match list.standing(platform, name) {
        Standing::Unsteady => (Count::default(), None),
        Standing::Apart => (Count::apart(), passes.then(|| format!("{name}: is listed, but passes"))),
        Standing::Differs if passes => (Count::of(true), Some(format!("{name}: is listed, but passes"))),
        Standing::Differs => (Count::of(false), None),
        Standing::Held => (Count::of(passes), (!passes).then(|| format!("{name}: {why}"))),
    }
}

/// Whether a check fails here that should not.
fn doubtful(list: &List, platform: Platform, there: &[Ended], here: &[Ended]) -> bool {
    there.iter().filter(|ended| ended.passes).any(|ended| {
        let mine = here.iter().find(|each| each.name == ended.name);
        judge(list, platform, ended, mine).1.is_some() && !mine.is_some_and(|mine| mine.passes)
    })
}

/// What passes at any time counts as passing.
fn merge(here: &mut Vec<Ended>, again: &[Ended]) {
    for ended in again {
        match here.iter_mut().find(|each| each.name == ended.name) {
            Some(mine) if !mine.passes => mine.clone_from(ended),
            Some(_) => {}
            None => here.push(ended.clone()),
        }
    }
}

fn failures(here: &[Ended]) -> String {
    let failing: Vec<_> = here.iter().filter(|ended| !ended.passes).map(line).collect();
    failing.join("; ")
}

fn line(ended: &Ended) -> String {
    let how = if ended.passes { "passes" } else { "fails" };
    format!("{}: {how} {}", ended.name, ended.why)
}

/// Leaves what was said where a developer finds it.
fn leave(platform: Platform, suite: &str, group: &str, mut lines: Vec<String>) {
    lines.sort();
    let folder = work_folder().join("conformance").join(platform.name());
    fs::create_dir_all(&folder).expect("the target folder can be written");
    fs::write(folder.join(format!("{suite}-{group}")), lines.join("\n") + "\n")
        .expect("the target folder can be written");
}
