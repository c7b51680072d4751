//! How cargo builds the crate of an image: the target, and flags for the compiler.

use std::path::Path;
use std::process::Command;

use super::{Plan, Platform, REPORT};
use crate::house::House;

/// The target of images, and flags for it: code that leaves the vector registers alone.
const SOFT_FLOAT: (&str, &[&str]) = ("x86_64-unknown-none", &[]);
/// The same for native images that compute with floating point: a hosted target without anything of its host.
const HARD_FLOAT: (&str, &[&str]) = (
    "x86_64-unknown-linux-musl",
    &[
        "-Crelocation-model=pic",
        "-Clinker=rust-lld",
        "-Clinker-flavor=ld.lld",
        "-Clink-self-contained=no",
        "-Ctarget-feature=-crt-static",
    ],
);

/// Frames that a backtrace can follow.
const FRAMES: &str = "-Cforce-frame-pointers=yes";
/// Functions of slots that are alike, say by answering `false`, become calls of one and not other names for it: through
/// a name nothing is inlined, and a constant that a provider answers is asked for by a call.
const CALLS: &str = "-Cllvm-args=-mergefunc-use-aliases=false";

/// In an image that is compiled for size, calls of functions that are a little longer than a call are put in line too:
/// what they were called with is known there. Beyond 10 of LLVM's units images grow again.
const SMALL: &str = "-Cllvm-args=-inline-threshold=10";

/// An image for speed has functions where they are called, up to a length at which a call is nothing beside what it
/// does.
const FAST: &str = "-Cllvm-args=-inline-threshold=700";

/// What cargo calls in place of the compiler. Who has set one (sccache) has it called by ours.
const WRAPPER: &str = "RUSTC_WRAPPER";
/// Says of each crate which one it is without saying where it lies: see there.
const COMPILER: &str = "tools/whittle/compiler.sh";

/// An image's target and its compiler flags.
#[must_use]
pub fn target(platform: &Platform, plan: &Plan) -> (&'static str, Vec<String>) {
    let (target, more) = if plan.hard_float { HARD_FLOAT } else { SOFT_FLOAT };
    let frames = plan.is_on(REPORT).then_some(&FRAMES);
    let small = plan.small.then_some(&SMALL);
    let fast = plan.fast.then_some(&FAST);
    let flags = [CALLS].iter().chain(frames).chain(small).chain(fast).chain(more).map(|&flag| flag.to_owned());
    (target, platform.rustflags.iter().cloned().chain(flags).collect())
}

/// `cargo` for the crate of an image, with the flags of its platform.
#[must_use]
pub fn cargo(house: &House, subcommand: &str, manifest: &Path, platform: &Platform, plan: &Plan) -> Command {
    let (target, flags) = target(platform, plan);
    let flags: Vec<String> = flags.into_iter().chain(house.remapped_paths()).collect();
    let flags = format!("target.{target}.rustflags={flags:?}");
    let mut cargo = house.cargo();
    cargo.args([subcommand, "--release", "--target", target, "--config", &flags]);
    let own = std::env::var_os(WRAPPER).unwrap_or_default();
    cargo.env(WRAPPER, house.root.join(COMPILER)).env("WHITTLE_ROOT", &house.root).env("WHITTLE_WRAPPED", own);
    cargo.arg("--manifest-path").arg(manifest).arg("--target-dir").arg(house.target.join(&platform.name));
    cargo
}
