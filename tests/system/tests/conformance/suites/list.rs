//! A suite's list, `tests/conformance/NAME.toml`: its groups, its sample, and what differs, each with its cause.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;

use serde::Deserialize;
use system_tests::{Platform, project_root};

/// The group of what runs always.
pub const SAMPLE: &str = "sample";

/// What is said of a suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Units that run always.
    sample: Vec<String>,
    /// All others by group: what their names begin with.
    groups: BTreeMap<String, Vec<String>>,
    /// What runs nowhere.
    #[serde(default, rename = "not-run")]
    not_run: Vec<Group>,
    /// What wants something that counts on neither side: a network, a second process of a server's.
    #[serde(default)]
    apart: Vec<Group>,
    /// What passes on Linux and not here.
    #[serde(default)]
    differs: Vec<Group>,
    /// What passes on Linux only sometimes, or what a busy machine fails: nothing is said of it.
    #[serde(default)]
    unsteady: Vec<Group>,
}

/// Checks that have one cause in common.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    /// The cause, in a short sentence.
    why: String,
    /// The platforms, if not all.
    on: Option<Vec<String>>,
    /// Whether they are run here, and do not just count as failing: some take all memory that the host has.
    run: Option<bool>,
    /// Checks; one that ends with "*" is all that begin so.
    tests: Vec<String>,
}

/// How a check stands on the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not there: it is to pass.
    Held,
    Apart,
    Differs,
    Unsteady,
}

/// The list of a suite, for as long as the tests run.
pub fn read(name: &'static str) -> &'static List {
    static LISTS: Mutex<BTreeMap<&str, &'static List>> = Mutex::new(BTreeMap::new());
    LISTS.lock().unwrap().entry(name).or_insert_with(|| Box::leak(Box::new(parsed(name))))
}

fn parsed(name: &str) -> List {
    let path = project_root().join(format!("tests/conformance/{name}.toml"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let list: List = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut all = list.differs.iter().chain(&list.unsteady).chain(&list.not_run).chain(&list.apart);
    assert!(all.all(|group| group.why.ends_with('.')), "a cause is a sentence");
    list
}

impl List {
    pub fn group_names(&self) -> Vec<&str> {
        self.groups.keys().map(String::as_str).collect()
    }

    /// The units of a group, among all.
    ///
    /// # Panics
    ///
    /// If one is in no group, or the sample names one that is not there.
    pub fn units<'a>(&self, group: &str, all: &'a [String]) -> Vec<&'a str> {
        let begins = |unit: &str, group: &[String]| group.iter().any(|start| unit.starts_with(start));
        for unit in all {
            assert_eq!(self.groups.values().filter(|group| begins(unit, group)).count(), 1, "{unit}: in one group");
        }
        let mine = |unit: &&String| match self.groups.get(group) {
            Some(group) => begins(unit, group),
            None => self.sample.contains(unit),
        };
        let units: Vec<_> = all.iter().filter(mine).map(String::as_str).collect();
        if group == SAMPLE {
            let absent: Vec<_> = self.sample.iter().filter(|unit| !all.contains(unit)).collect();
            assert!(absent.is_empty(), "the sample names what is not there: {absent:?}");
        }
        units.into_iter().filter(|unit| !has(&self.not_run, None, unit)).collect()
    }

    /// Whether a unit of one check may be run here.
    pub fn may_run(&self, unit: &str) -> bool {
        let harmful = self.differs.iter().filter(|group| group.run == Some(false));
        !harmful.flat_map(|group| &group.tests).any(|test| test == unit)
    }

    pub fn standing(&self, platform: Platform, check: &str) -> Standing {
        let on = Some(if platform.is_pc() { "pc" } else { platform.name() });
        let kinds =
            [(&self.unsteady, Standing::Unsteady), (&self.apart, Standing::Apart), (&self.differs, Standing::Differs)];
        kinds.into_iter().find(|kind| has(kind.0, on, check)).map_or(Standing::Held, |kind| kind.1)
    }
}

fn has(groups: &[Group], on: Option<&str>, check: &str) -> bool {
    let here =
        |group: &&Group| on.is_none_or(|on| group.on.as_ref().is_none_or(|names| names.iter().any(|name| name == on)));
    let same = |test: &String| test.strip_suffix('*').map_or(test == check, |start| check.starts_with(start));
    groups.iter().filter(here).any(|group| group.tests.iter().any(same))
}
