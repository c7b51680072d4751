//! One module's run, which goes on behind a test that crashes or hangs.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use system_tests::{Guest, Platform, Running, network_inside, project_root, work_folder};

use crate::list;
use crate::source::{self, PYTHON};

/// What a line of `runner.py` says.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Line {
    plan: Option<Vec<String>>,
    begin: Option<usize>,
    end: Option<usize>,
    how: String,
    why: String,
    fixture: Option<String>,
    done: bool,
}

/// What became of a test.
#[derive(Clone, Debug)]
pub struct Ended {
    /// `pass`, `skip`, `fail`, or `end` where the program or its time ended with it.
    pub how: String,
    /// Why, if it did not pass.
    pub why: String,
}

/// What became of a module's tests, by their names. One that is not there was not run.
#[derive(Default)]
pub struct Report {
    plan: Vec<String>,
    ended: BTreeMap<usize, Ended>,
    /// Why tests were not run at all.
    fixtures: Vec<String>,
}

impl Report {
    pub fn get(&self, name: &str) -> Option<&Ended> {
        self.ended.get(&self.plan.iter().position(|each| each == name)?)
    }

    pub fn has(&self, name: &str) -> bool {
        self.plan.iter().any(|each| each == name)
    }

    /// The tests that passed, with what is known of them.
    pub fn passed(&self) -> impl Iterator<Item = (&str, &Ended)> {
        let passed = self.ended.iter().filter(|entry| entry.1.how == "pass");
        passed.filter_map(|(position, ended)| Some((self.plan.get(*position)?.as_str(), ended)))
    }

    /// Why a test that is not there was not run.
    pub fn absent(&self) -> String {
        format!("it was not run. {}", self.fixtures.join(" "))
    }

    /// Takes a run's output; answers the position of the test that it ended in, or `None` if it came to its end.
    fn take(&mut self, text: &str, end: &str) -> Option<usize> {
        let mut running = None;
        for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line.strip_prefix('@')?).ok()) {
            if let Some(plan) = line.plan {
                self.plan = plan;
            }
            if let Some(name) = line.fixture {
                self.fixtures.push(format!("{name}: {}", line.why));
            }
            running = line.begin.or(running);
            if let Some(position) = line.end {
                self.ended.insert(position, Ended { how: line.how, why: line.why });
                running = None;
            }
            if line.done {
                return None;
            }
        }
        let position = running.or_else(|| Some(self.ended.last_key_value()?.0 + 1))?;
        self.ended.insert(position, Ended { how: "end".into(), why: end.into() });
        Some(position)
    }
}

/// How long nothing may be heard of a test: an emulated machine is some tens of times slower.
const fn silence(platform: Platform) -> Duration {
    Duration::from_secs(if platform.is_pc() { 400 } else { 90 })
}

fn guest(platform: Platform, module: &str) -> Guest {
    let more = source::more(module).expect("a module that lacks its tests is passed over");
    let guest = Guest::new(platform).variable("CONFORMANCE_MORE", &more);
    if platform.is_pc() { guest.option("--memory").option("1G") } else { guest }
}

fn once(platform: Platform, module: &str, words: &[&str]) -> (String, String) {
    let runner = project_root().join("tests/conformance/runner.py");
    let image = list::read().has_network(module).then(|| network_inside().display().to_string());
    let image = image.filter(|_| platform != Platform::Native);
    image.iter().for_each(|image| build(platform, image));
    let mut all: Vec<&str> = image.as_deref().into_iter().collect();
    all.extend([PYTHON, runner.to_str().expect("the project's path is text"), module]);
    all.extend(words);
    let command = guest(platform, module).command(&all);
    let outcome = Running::start(command, Some(Vec::new())).finish_unless_silent(silence(platform));
    let last = outcome.error_text().lines().last().unwrap_or_default().to_owned();
    let how = if outcome.timed_out { "it did not end" } else { "the program ended" };
    (outcome.text(), format!("{how}, status {}: {last}", outcome.status))
}

/// Has an image built before anybody waits for a test's words: that may take minutes.
fn build(platform: Platform, image: &str) {
    static BUILT: Mutex<Vec<Platform>> = Mutex::new(Vec::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if !built.contains(&platform) {
        let outcome = Guest::new(platform).limit(Duration::from_secs(900)).run(&[image, "/bin/true"]);
        assert_eq!(outcome.status, 0, "{image} on {}: {}", platform.name(), outcome.error_text());
        built.push(platform);
    }
}

/// Runs all tests of a module, and leaves what they said where a developer finds it.
pub fn run(platform: Platform, module: &str) -> Report {
    let (mut report, mut first, mut said) = (Report::default(), 0, String::new());
    loop {
        let (text, end) = once(platform, module, &[&first.to_string()]);
        said += &text;
        let ended_in = report.take(&text, &end);
        assert!(!report.plan.is_empty(), "{module} did not begin on {}: {end}", platform.name());
        match ended_in {
            Some(position) if position + 1 < report.plan.len() => first = position + 1,
            _ => break,
        }
    }
    let folder = work_folder().join("conformance").join(platform.name());
    fs::create_dir_all(&folder).expect("the target folder can be written");
    fs::write(folder.join(module), said).expect("the target folder can be written");
    report
}

/// Runs some tests of a module.
pub fn again(platform: Platform, module: &str, tests: &[&str]) -> Report {
    let mut report = Report::default();
    let (text, end) = once(platform, module, tests);
    report.take(&text, &end);
    report
}
