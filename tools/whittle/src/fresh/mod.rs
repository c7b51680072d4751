//! Keeping what is built in step with its sources, without asking cargo when nothing changed.

mod fingerprint;
mod strip;

use std::env;
use std::fs;
use std::io::{IsTerminal, stderr};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};

use crate::arguments::Platform;
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::run::folder;

pub use fingerprint::fingerprint;
pub use strip::{StripError, strip};

/// What decides how anything here is built.
const MANIFESTS: [&str; 4] = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "elements"];
const IMAGE_SOURCES: [&str; 5] = ["contracts", "kernel", "api", "platforms", "images"];
const COMMAND_SOURCES: [&str; 1] = ["tools/whittle"];

/// `WHITTLE_BUILD=never`: run what is there (tests that start whittle hundreds of times, or with kernels of their own).
fn builds_nothing() -> bool {
    env::var_os("WHITTLE_BUILD").is_some_and(|word| word == "never")
}

/// The state of the sources, found out by a thread of its own while the command has other things to do.
pub struct Sources<'a> {
    house: &'a House,
    looking: Option<JoinHandle<States>>,
    states: Option<States>,
}

/// What was found, as it stands in the stamps.
#[derive(Clone, Debug, Default)]
struct States {
    command: String,
    images: String,
}

fn look(root: &Path) -> States {
    let state = |parts: &[&str]| {
        let number = |part: &&str| format!("{:016x}\n", fingerprint(root, part));
        parts.iter().map(number).collect::<String>()
    };
    let manifests = state(&MANIFESTS);
    States { command: manifests.clone() + &state(&COMMAND_SOURCES), images: manifests + &state(&IMAGE_SOURCES) }
}

impl<'a> Sources<'a> {
    /// Begins to look at the sources.
    #[must_use]
    pub fn look(house: &'a House) -> Self {
        let root = house.root.clone();
        let looking = (!builds_nothing()).then(|| thread::spawn(move || look(&root)));
        Self { house, looking, states: None }
    }

    /// Waits for what was found; `None` if nothing is to be built.
    fn states(&mut self) -> Option<States> {
        if let Some(looking) = self.looking.take() {
            self.states = looking.join().ok();
        }
        self.states.clone()
    }

    /// Rebuilds this very command if its sources changed, and becomes the new one.
    ///
    /// Only a command that lies where the launcher builds it does so; a test's or a developer's own does not.
    pub fn rebuild_command(&mut self) -> Result<(), Failure> {
        let binary = self.house.command();
        if env::var_os("WHITTLE_FRESH").is_some() || !is_this_binary(&binary) {
            return Ok(());
        }
        let stamp = binary.with_extension("stamp");
        let Some(States { command: state, .. }) = self.states() else { return Ok(()) };
        if fs::read_to_string(&stamp).is_ok_and(|built| built == state) {
            return Ok(());
        }
        let mut cargo = self.house.cargo();
        cargo.args(["build", "-p", "whittle", "--profile", "command", "--target", folder::TARGET]);
        cargo.arg("--target-dir").arg(&self.house.target);
        build(cargo, "the command")?;
        fs::write(&stamp, state).doing(format!("write {}", stamp.display()))?;
        let error = Command::new(&binary).args(env::args_os().skip(1)).env("WHITTLE_FRESH", "1").exec();
        Err(Failure::ours(format!("cannot start {}: {error}", binary.display())))
    }

    /// Rebuilds a platform's kernel image if its sources changed; says whether it did.
    pub fn rebuild_image(&mut self, platform: Platform) -> Result<bool, Failure> {
        let stripped = self.house.stripped_image(platform);
        let stamp = stripped.with_extension("stamp");
        let Some(States { images: mut state, .. }) = self.states() else { return Ok(false) };
        let cargo = self.house.cargo_for_image("build", platform);
        // How an image is built is part of what it is built from.
        state.extend(cargo.get_args().map(|word| format!("{}\n", word.display())));
        if fs::read_to_string(&stamp).is_ok_and(|built| built == state) && stripped.exists() {
            return Ok(false);
        }
        build(cargo, &format!("the {} kernel", platform.name()))?;
        write_stripped(&self.house.image(platform), &stripped)?;
        fs::write(&stamp, state).doing(format!("write {}", stamp.display()))?;
        Ok(true)
    }
}

/// Whether this process executes that file, by whatever path it was started.
fn is_this_binary(path: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
    identity(path).is_some_and(|file| identity(Path::new("/proc/self/exe")) == Some(file))
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
