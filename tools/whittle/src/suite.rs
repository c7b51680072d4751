//! `whittle test`: the checks, then the whole-system tests on every platform this machine can run.

use std::thread;

use packages::Purpose;

use crate::arguments::{Platform, Test};
use crate::check::{self, Steps};
use crate::compose::{rebuild_image, rebuild_image_with_disks};
use crate::failure::{Failure, OURS};
use crate::house::House;
use crate::setup;

/// Runs everything and ends with a line that counts; returns the exit status.
#[must_use]
pub fn test(house: &House, wanted: &Test) -> u8 {
    let mut steps = Steps::default();
    // Without a tool its tests are skipped, by name; so this is no failure.
    steps.preparation("packages", || setup::packages(Purpose::Testing));
    steps.preparation("parts of the toolchain", || check::toolchain(house));
    check::all(house, &mut steps);
    if steps.function("build of the kernels", || build_kernels(house).map_err(|failure| failure.sentence)) {
        let mut cargo = house.cargo();
        cargo.args(["test", "-p", "system-tests", "--no-fail-fast", "--target-dir"]).arg(&house.target);
        cargo.env("WHITTLE_ROOT", &house.root);
        if wanted.all {
            cargo.env("WHITTLE_TEST_ALL", "1");
        }
        steps.tests("whole-system tests", cargo);
    }
    // A step that failed without a failed test (a lint, a build) counts as one.
    let tests = &steps.tests;
    tests.reasons.iter().for_each(|reason| println!("skipped: {reason}"));
    if wanted.verbose {
        tests.left.iter().for_each(|name| println!("with --all: {name}"));
    }
    let failed = tests.failed.max(steps.failed);
    println!("{} passed, {failed} failed, {} skipped{}", tests.passed, tests.skipped, left(tests.left.len()));
    if failed == 0 { 0 } else { OURS }
}

/// Builds what most tests start, the platforms side by side: the last minute of each keeps one processor busy.
fn build_kernels(house: &House) -> Result<(), Failure> {
    let build = |platform: Platform| {
        rebuild_image(house, platform.name())?;
        rebuild_image_with_disks(house, platform.name()).map(drop)
    };
    thread::scope(|scope| {
        let process = scope.spawn(|| build(Platform::Process));
        build(Platform::Pc).and(process.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// What a summary says of what it has left to `--all`.
fn left(count: usize) -> String {
    match count {
        0 => String::new(),
        count => format!("; {count} more with --all"),
    }
}
