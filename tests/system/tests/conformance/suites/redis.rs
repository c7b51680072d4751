//! redis' own tests, against a server that runs already: each file of them is a unit, and its server is a fresh one.
//!
//! What starts servers of its own is passed over by the tests themselves (their tag `external:skip`).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use system_tests::{Platform, debian_source, need, scratch};

use super::{Ended, Suite, alone};

pub struct Redis;

/// What the tests look for beside their source.
const PROGRAMS: [&str; 5] = ["redis-server", "redis-cli", "redis-benchmark", "redis-check-aof", "redis-check-rdb"];

/// What a line says of a check, between codes for colours.
fn check(unit: &str, line: &str) -> Option<(bool, String)> {
    let plain = without_colours(line);
    let (passes, rest) = match plain.strip_prefix("[ok]: ") {
        Some(rest) => (true, rest),
        None => (false, plain.strip_prefix("[err]: ")?),
    };
    // Behind the name stands the time it took, or the file it is in.
    let name = if passes { rest.rsplit_once(" (")?.0 } else { rest.rsplit_once(" in tests/")?.0 };
    Some((passes, format!("{unit}: {name}")))
}

fn without_colours(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |halves| halves.1))
}

/// All of a unit: a name may come several times, and passes if it does each time.
fn checks(unit: &str, text: &str) -> Vec<Ended> {
    let mut checks: Vec<Ended> = Vec::new();
    let lines: Vec<_> = text.lines().collect();
    for (position, line) in lines.iter().enumerate() {
        let Some((passes, name)) = check(unit, line) else { continue };
        let why = if passes { "" } else { lines.get(position + 1).copied().unwrap_or_default() };
        match checks.iter_mut().find(|check| check.name == name) {
            Some(check) if passes => check.passes &= passes,
            Some(check) => (check.passes, check.why) = (false, why.to_owned()),
            None => checks.push(Ended { name, passes, why: why.to_owned() }),
        }
    }
    checks
}

impl Suite for Redis {
    fn name(&self) -> &'static str {
        "redis"
    }

    fn folder(&self) -> Result<PathBuf, String> {
        need(&["apt-get", "dpkg-source", "ip", "redis-cli", "redis-server", "tclsh", "unshare"]);
        debian_source("redis")
    }

    fn least(&self) -> f64 {
        super::LEAST_OF_SERVERS
    }

    fn obstacle(&self) -> Option<String> {
        alone::obstacle()
    }

    fn units(&self, folder: &Path) -> Vec<String> {
        let helper = fs::read_to_string(folder.join("tests/test_helper.tcl")).expect("the source has its tests");
        let list = helper.split_once("set ::all_tests {").and_then(|halves| halves.1.split_once('}'));
        list.expect("the tests are listed").0.split_whitespace().map(str::to_owned).collect()
    }

    fn at_once(&self, _: Platform) -> usize {
        2
    }

    fn build(&self, _: &Path, _: &[&str]) {}

    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended> {
        // The tests keep files below the folder that they run in.
        let (place, data) = (scratch(), scratch());
        let mut copy = Command::new("cp");
        copy.arg("-r").args(["runtest", "tests"].map(|name| folder.join(name))).arg(place.path());
        assert!(copy.status().is_ok_and(|status| status.success()), "the temporary folder can be written");
        fs::create_dir(place.path().join("src")).expect("the temporary folder can be written");
        for program in PROGRAMS {
            let to = place.path().join("src").join(program);
            symlink(format!("/usr/bin/{program}"), to).expect("the temporary folder can be written");
        }
        let data = data.path().to_str().expect("the path is text");
        let mut command = alone::command(platform, &["sh", &alone::script("redis.sh"), unit, data]);
        command.current_dir(place.path());
        checks(unit, &alone::run(command, platform).text())
    }
}
