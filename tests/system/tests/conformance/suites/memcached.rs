//! memcached's own tests: Perl scripts that start it themselves, many times. Each script is a unit.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use system_tests::{Platform, debian_source, need, scratch};

use super::{Ended, Suite, alone, tap};

pub struct Memcached;

impl Suite for Memcached {
    fn name(&self) -> &'static str {
        "memcached"
    }

    fn folder(&self) -> Result<PathBuf, String> {
        need(&["apt-get", "dpkg-source", "gcc", "ip", "memcached", "perl", "unshare"]);
        debian_source("memcached")
    }

    fn least(&self) -> f64 {
        super::LEAST_OF_SERVERS
    }

    fn obstacle(&self) -> Option<String> {
        alone::obstacle()
    }

    fn at_once(&self, _: Platform) -> usize {
        2
    }

    fn units(&self, folder: &Path) -> Vec<String> {
        tap::scripts(&folder.join("t"))
    }

    fn build(&self, folder: &Path, _: &[&str]) {
        let mut gcc = Command::new("gcc");
        let source = folder.join("timedrun.c");
        let output = gcc.arg("-w").arg("-o").arg(folder.join("timedrun")).arg(source).output().expect("gcc runs");
        assert!(output.status.success(), "timedrun.c does not compile: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended> {
        let place = scratch();
        for name in ["t", "timedrun"] {
            symlink(folder.join(name), place.path().join(name)).expect("the temporary folder can be written");
        }
        fs::copy(alone::script("memcached.pl"), place.path().join("memcached-debug")).expect("a file of ours");
        let mut command = alone::command(platform, &["perl", "-It/lib", &format!("t/{unit}.t")]);
        command.current_dir(place.path());
        tap::checks(unit, &alone::run(command, platform).text())
    }
}
