//! Where things are: the repository whittle lives in, and what it builds there.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::compose::{Plan, Platform, REPORT};
use crate::failure::Failure;
use crate::run::folder;
use crate::setup;

/// The repository and its target directory.
#[derive(Clone, Debug)]
pub struct House {
    /// The repository's root.
    pub root: PathBuf,
    /// What is built lies below here: `target`, or `$WHITTLE_TARGET`.
    pub target: PathBuf,
}

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

/// An image's target and its compiler flags.
#[must_use]
pub fn target(platform: &Platform, plan: &Plan) -> (&'static str, Vec<String>) {
    let (target, more) = if plan.hard_float { HARD_FLOAT } else { SOFT_FLOAT };
    let frames = plan.is_on(REPORT).then_some(&FRAMES);
    (
        target,
        platform.rustflags.iter().cloned().chain(frames.into_iter().chain(more).map(|&flag| flag.to_owned())).collect(),
    )
}

impl House {
    /// Finds the house: `$WHITTLE_ROOT` (the launcher sets it), or the folder the running binary was built in.
    pub fn find() -> Result<Self, Failure> {
        let root = match env::var_os("WHITTLE_ROOT") {
            Some(root) => PathBuf::from(root),
            None => Self::around_this_binary()
                .ok_or_else(|| Failure::ours("WHITTLE_ROOT is not set: start ./whittle in the repository instead"))?,
        };
        let target = env::var_os("WHITTLE_TARGET").map_or_else(|| root.join("target"), PathBuf::from);
        Ok(Self { root, target })
    }

    fn around_this_binary() -> Option<PathBuf> {
        let binary = env::current_exe().ok()?;
        binary.ancestors().find(|folder| folder.join("rust-toolchain.toml").exists()).map(Path::to_path_buf)
    }

    /// The command's own binary, where the launcher builds it.
    #[must_use]
    pub fn command(&self) -> PathBuf {
        self.target.join(folder::TARGET).join("command/whittle")
    }

    /// `cargo` in the repository, free of the settings of a cargo that may have started us.
    #[must_use]
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&self.root).env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
        cargo.env("PATH", setup::path());
        cargo
    }

    /// `cargo` for the crate of an image, with the flags of its platform.
    #[must_use]
    pub fn cargo_for_image(&self, subcommand: &str, manifest: &Path, platform: &Platform, plan: &Plan) -> Command {
        let (target, flags) = target(platform, plan);
        let flags: Vec<String> = flags.into_iter().chain(self.remapped_paths()).collect();
        let flags = format!("target.{target}.rustflags={flags:?}");
        let mut cargo = self.cargo();
        cargo.args([subcommand, "--release", "--target", target, "--config", &flags]);
        cargo.arg("--manifest-path").arg(manifest).arg("--target-dir").arg(self.target.join(&platform.name));
        cargo
    }

    /// What images are built with beside their sources.
    #[must_use]
    pub fn surroundings(&self) -> String {
        self.remapped_paths().collect::<Vec<_>>().join("\n")
    }

    /// Names for the folders of this machine, so that no image tells where it was built.
    fn remapped_paths(&self) -> impl Iterator<Item = String> {
        let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let folder = |variable, name| env::var_os(variable).map_or_else(|| home.join(name), PathBuf::from);
        // The last one that fits counts: the repository may lie in one of the others.
        let folders = [
            (folder("CARGO_HOME", ".cargo"), "/cargo"),
            (folder("RUSTUP_HOME", ".rustup"), "/rustup"),
            (self.root.clone(), "/whittle"),
        ];
        folders.into_iter().map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
    }
}
