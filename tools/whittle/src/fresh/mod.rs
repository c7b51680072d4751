//! Keeping what is built in step with its sources, without asking cargo when nothing changed.

mod stamp;
mod strip;

use std::env;
use std::fs;
use std::io::{IsTerminal, stderr};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use crate::arguments::Platform;
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::run::folder;

pub use strip::{StripError, loaded_end, strip};

/// `WHITTLE_BUILD=never`: run what is there (tests that start whittle hundreds of times, or with kernels of their own).
fn builds_nothing() -> bool {
    env::var_os("WHITTLE_BUILD").is_some_and(|word| word == "never")
}

/// Rebuilds this very command if its sources changed, and becomes the new one.
///
/// Only a command that lies where the launcher builds it does so; a test's or a developer's own does not.
pub fn rebuild_command(house: &House) -> Result<(), Failure> {
    let binary = house.command();
    if builds_nothing() || env::var_os("WHITTLE_FRESH").is_some() || !stamp::is_this_binary(&binary) {
        return Ok(());
    }
    let mut cargo = house.cargo();
    cargo.args(["build", "-p", "whittle", "--profile", "command", "--target", folder::TARGET]);
    cargo.arg("--target-dir").arg(&house.target);
    let words = words(&cargo);
    let stamp = binary.with_extension("stamp");
    if stamp::is_fresh(&stamp, &house.root, &words) {
        return Ok(());
    }
    let started = SystemTime::now();
    build(cargo, "the command")?;
    stamp::write(&stamp, &house.root, &words, &binary.with_extension("d"), started)?;
    let error = Command::new(&binary).args(env::args_os().skip(1)).env("WHITTLE_FRESH", "1").exec();
    Err(Failure::ours(format!("cannot start {}: {error}", binary.display())))
}

/// Rebuilds a platform's kernel image if its sources changed; says whether it did.
pub fn rebuild_image(house: &House, platform: Platform) -> Result<bool, Failure> {
    Image::look(house, platform).rebuild()
}

/// A kernel image whose sources a thread looks at while the command has other things to do.
pub struct Image<'a> {
    house: &'a House,
    platform: Platform,
    cargo: Command,
    fresh: JoinHandle<bool>,
}

impl<'a> Image<'a> {
    /// Begins to look.
    #[must_use]
    pub fn look(house: &'a House, platform: Platform) -> Self {
        let cargo = house.cargo_for_image("build", platform);
        let (root, image, words) = (house.root.clone(), house.stripped_image(platform), words(&cargo));
        let look = move || {
            builds_nothing() || (image.exists() && stamp::is_fresh(&image.with_extension("stamp"), &root, &words))
        };
        Self { house, platform, cargo, fresh: thread::spawn(look) }
    }

    /// Rebuilds it if its sources changed; says whether it did.
    pub fn rebuild(self) -> Result<bool, Failure> {
        if self.fresh.join().unwrap_or(false) {
            return Ok(false);
        }
        let (root, words) = (&self.house.root, words(&self.cargo));
        let (image, stripped) = (self.house.image(self.platform), self.house.stripped_image(self.platform));
        let started = SystemTime::now();
        build(self.cargo, &format!("the {} kernel", self.platform.name()))?;
        write_stripped(&image, &stripped)?;
        stamp::write(&stripped.with_extension("stamp"), root, &words, &image.with_extension("d"), started)?;
        Ok(true)
    }
}

/// How a thing is built is part of what it is built from.
fn words(cargo: &Command) -> String {
    cargo.get_args().map(|word| format!("{}\n", word.display())).collect()
}

fn write_stripped(image: &Path, stripped: &Path) -> Result<(), Failure> {
    let whole = fs::read(image).doing(format!("read {}", image.display()))?;
    let bytes = strip(whole).doing(format!("strip {}", image.display()))?;
    // Another run may be starting the old file just now: put the new one in its place in one step.
    let new = stripped.with_extension(format!("new-{}", std::process::id()));
    let written = fs::write(&new, bytes)
        .and_then(|()| fs::set_permissions(&new, PermissionsExt::from_mode(0o755)))
        .and_then(|()| fs::rename(&new, stripped));
    written.doing(format!("write {}", stripped.display()))
}

/// Runs a cargo command. Quiet unless it fails or a person watches.
fn build(mut cargo: Command, what: &str) -> Result<(), Failure> {
    cargo.stdin(Stdio::null());
    let failed = || Failure::ours(format!("{what} does not build, see above"));
    let missing = |error| Failure::ours(format!("cannot start cargo ({error}): install Rust from https://rustup.rs"));
    if stderr().is_terminal() {
        // Cargo's standard output must not become the program's.
        let status = cargo.stdout(stderr()).status().map_err(missing)?;
        return if status.success() { Ok(()) } else { Err(failed()) };
    }
    let output = cargo.arg("--quiet").output().map_err(missing)?;
    if output.status.success() {
        return Ok(());
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(failed())
}
