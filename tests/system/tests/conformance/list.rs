//! The list: what runs, and what passes on Linux but not here.

use std::collections::BTreeMap;
use std::fs;
use std::sync::OnceLock;

use serde::Deserialize;
use system_tests::{Platform, project_root};

/// `tests/conformance/cpython.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// Modules of Python's `test` package.
    pub modules: Vec<String>,
    /// Those of them that talk to themselves by sockets of the Internet: their image has a network that stays inside.
    network: Vec<String>,
    /// Those that name their loopback addresses as a network; the runner reads them.
    #[serde(rename = "loopback")]
    _loopback: Vec<String>,
    /// Those that run always, by platform.
    short: BTreeMap<String, Vec<String>>,
    /// Tests that run nowhere; the runner reads them.
    #[serde(rename = "not-run")]
    not_run: Vec<Difference>,
    #[serde(default)]
    differs: Vec<Difference>,
    /// Tests that pass on Linux only sometimes, or that a busy machine fails.
    #[serde(default)]
    unsteady: Vec<Difference>,
}

/// Tests that have one cause in common.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Difference {
    /// The cause, in a short sentence.
    why: String,
    /// The platforms, if not all.
    on: Option<Vec<String>>,
    /// `module.Class.test`.
    tests: Vec<String>,
}

/// The list of the project, for as long as the tests run.
pub fn read() -> &'static List {
    static LIST: OnceLock<List> = OnceLock::new();
    LIST.get_or_init(|| {
        let path = project_root().join("tests/conformance/cpython.toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let list: List = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut words = list.differs.iter().chain(&list.unsteady).chain(&list.not_run);
        assert!(words.all(|each| each.why.ends_with('.')), "a cause is a sentence");
        list
    })
}

/// The list's name of a platform: the ring makes no difference.
const fn name(platform: Platform) -> &'static str {
    if platform.is_pc() { "pc" } else { platform.name() }
}

impl List {
    /// Whether a module's image has a network.
    pub fn has_network(&self, module: &str) -> bool {
        self.network.iter().any(|each| each == module)
    }

    /// Whether a module is among those that run always.
    pub fn is_short(&self, platform: Platform, module: &str) -> bool {
        self.short.get(name(platform)).is_some_and(|modules| modules.iter().any(|each| each == module))
    }

    /// The tests of a module that are said to fail on a platform.
    pub fn differing(&self, platform: Platform, module: &str) -> Vec<&str> {
        within(&self.differs, platform, module)
    }

    /// The tests of a module of which nothing is said.
    pub fn unsteady(&self, platform: Platform, module: &str) -> Vec<&str> {
        within(&self.unsteady, platform, module)
    }
}

fn within<'a>(list: &'a [Difference], platform: Platform, module: &str) -> Vec<&'a str> {
    let here = |each: &&Difference| each.on.as_ref().is_none_or(|on| on.iter().any(|each| each == name(platform)));
    let tests = list.iter().filter(here).flat_map(|each| &each.tests);
    tests.filter_map(|test| test.strip_prefix(module)?.strip_prefix('.')).collect()
}
