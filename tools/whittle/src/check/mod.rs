//! `whittle check`: format, layers, rooms, unsafe code, documents, lints, host tests; one line each.

mod documents;
mod layers;
mod line;
mod rooms;
mod steps;
mod toolchain;
mod walls;

use std::process::Command;

use crate::arguments::Platform;
use crate::compose::{self, Place, Request};
use crate::failure::{Failure, OURS};
use crate::house::House;

pub use steps::{Steps, Tally};
pub use toolchain::toolchain;

/// Packages with a `Cargo.lock` of their own that are built from crates of the workspace: a crate that names another
/// one changes theirs too, and a build that is `--locked` says so only on the day when somebody asks for it.
const LOCKED_APART: [&str; 3] = ["fuzz", "tests/system/programs/call-fuzzer", "tools/bench-heaps"];

/// Runs every check, also behind one that failed; returns the exit status.
#[must_use]
pub fn check(house: &House) -> u8 {
    let mut steps = Steps::default();
    all(house, &mut steps);
    if steps.failed == 0 { 0 } else { OURS }
}

/// Runs every check as steps.
pub fn all(house: &House, steps: &mut Steps) {
    let cargo = |words: &[&str]| {
        let mut cargo = house.cargo();
        cargo.args(words);
        cargo
    };
    for folder in LOCKED_APART {
        let manifest = format!("{folder}/Cargo.toml");
        let words = ["update", "--quiet", "--workspace", "--locked", "--manifest-path", &manifest];
        steps.command(&format!("lock of {folder}"), cargo(&words));
    }
    steps.command("format", cargo(&["fmt", "--all", "--", "--check", "-l"]));
    steps.function("layers", || layers::check(house));
    steps.function("rooms", || rooms::check(house));
    steps.function("unsafe code", || walls::check(house));
    steps.function("documents", || documents::check(house));
    steps.command("lints", in_target(house, cargo(&["clippy", "--quiet", "--all-targets"]), &["--", "-Dwarnings"]));
    for platform in [Platform::Pc, Platform::Process] {
        let name = format!("lints of the {} image", platform.name());
        match clippy_of_image(house, platform.name()) {
            Ok(clippy) => steps.command(&name, clippy),
            Err(failure) => steps.function(&name, || Err(failure.sentence)),
        };
    }
    let planted = ["test", "--quiet", "-p", "system-tests", "--test", "planted"];
    let words = ["--", "each_fault_has_its_place"];
    steps.command("places of the planted faults", in_target(house, cargo(&planted), &words));
    steps.tests("host tests", in_target(house, cargo(&["test", "--quiet"]), &[]));
}

/// Images are no members of the workspace: each is written down by its composition first.
fn clippy_of_image(house: &House, platform: &str) -> Result<Command, Failure> {
    let request = Request::of_folder(&Place::ready(house).folder)?;
    let mut clippy = compose::build::prepare(house, &request, platform)?.cargo(house, "clippy")?;
    clippy.args(["--quiet", "--", "-Dwarnings"]);
    Ok(clippy)
}

/// Host builds share one folder, whatever target directory the caller's environment names.
fn in_target(house: &House, mut cargo: Command, rest: &[&str]) -> Command {
    cargo.arg("--target-dir").arg(&house.target).args(rest);
    cargo
}
