//! busybox' own tests, from Debian's source of the busybox that is installed: `runtest APPLET` runs those of an applet.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::time::Duration;

use system_tests::{Platform, debian_source, native_busybox, need};

use super::{Ended, Suite, inside};

pub struct Busybox;

/// The applets of the busybox that is installed, and itself.
fn applets() -> Vec<String> {
    let output = Command::new(native_busybox()).arg("--list").output().expect("busybox runs");
    let listed = String::from_utf8_lossy(&output.stdout);
    listed.lines().chain(["busybox"]).map(str::to_owned).collect()
}

/// Where `runtest` looks for the program, its configuration, and links by the applets' names.
fn built(folder: &Path) -> PathBuf {
    folder.join("built")
}

fn prepare(folder: &Path) {
    let (built, links) = (built(folder), built(folder).join("runtest-tempdir-links"));
    let _ = fs::remove_dir_all(&built);
    fs::create_dir_all(&links).expect("the target folder can be written");
    fs::copy(native_busybox(), built.join("busybox")).expect("busybox can be read");
    fs::copy(folder.join("debian/config/pkg/static"), built.join(".config")).expect("the source has its configuration");
    for applet in applets() {
        // busybox has a link of its own name, which it does not list.
        let _ = symlink(built.join("busybox"), links.join(applet));
    }
    let mut gcc = Command::new("gcc");
    gcc.arg("-w").arg("-o").arg(built.join("echo-ne")).arg(folder.join("scripts/echo.c"));
    assert!(gcc.status().expect("gcc runs").success(), "echo.c does not compile");
    // It would make the links anew each time, by hundreds of processes.
    let script = folder.join("testsuite/runtest");
    let text = fs::read_to_string(&script).expect("the source has its tests");
    let text = text.replace("rm -rf \"$LINKSDIR\"", ":").replace("ln -s \"$bindir/busybox\"", ": \"$bindir/busybox\"");
    fs::write(&script, text).expect("the target folder can be written");
}

/// All of a unit: a name may come several times, and passes if it does each time.
fn checks(unit: &str, text: &str) -> Vec<Ended> {
    let mut checks: Vec<Ended> = Vec::new();
    for line in text.lines() {
        let passes = line.starts_with("PASS: ");
        let Some(name) = line.strip_prefix("PASS: ").or_else(|| line.strip_prefix("FAIL: ")) else { continue };
        let name = format!("{unit}: {name}");
        match checks.iter_mut().find(|check| check.name == name) {
            Some(check) => check.passes &= passes,
            None => checks.push(Ended { name, passes, why: String::new() }),
        }
    }
    for check in checks.iter_mut().filter(|check| !check.passes) {
        check.why = format!("it fails, and its applet's tests end with: {}", text.lines().last().unwrap_or_default());
    }
    checks
}

impl Suite for Busybox {
    fn name(&self) -> &'static str {
        "busybox"
    }

    fn folder(&self) -> Result<PathBuf, String> {
        need(&["apt-get", "/bin/busybox", "dpkg-source", "gcc"]);
        debian_source("busybox")
    }

    fn machine(&self) -> Platform {
        Platform::PcRing3
    }

    fn least(&self) -> f64 {
        super::LEAST_OF_PROGRAMS
    }

    fn units(&self, folder: &Path) -> Vec<String> {
        let tests = folder.join("testsuite");
        let has_tests =
            |applet: &String| tests.join(applet).is_dir() || tests.join(format!("{applet}.tests")).is_file();
        let mut units: Vec<_> = applets().into_iter().filter(has_tests).collect();
        units.sort();
        units.dedup();
        units
    }

    fn build(&self, folder: &Path, _: &[&str]) {
        static READY: Once = Once::new();
        READY.call_once_force(|_| prepare(folder));
    }

    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended> {
        let built = built(folder);
        // bc computes for forty seconds on Linux.
        let limit = Duration::from_secs(if platform.is_pc() { 3600 } else { 600 });
        let (program, echo) = (built.display().to_string(), built.join("echo-ne").display().to_string());
        let script = format!("export bindir={program} ECHO={echo}; exec ./runtest \"$0\" </dev/null 2>&1");
        let outcome = inside::run(platform, &folder.join("testsuite"), &["/bin/sh", "-c", &script, unit], limit);
        checks(unit, &outcome.text())
    }
}
