//! Where things are: the repository whittle lives in, or the folder it was installed to, and what it builds.

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{Access, access};
use rustix::process::geteuid;

use crate::failure::Failure;
use crate::setup;

/// The repository and its target directory.
#[derive(Clone, Debug)]
pub struct House {
    /// The repository's root; of an installed whittle, where its sources lie.
    pub root: PathBuf,
    /// What is built lies below here: `target`, or `$WHITTLE_TARGET`, or a cache of the user's if the repository is not
    /// theirs to write to.
    pub target: PathBuf,
    /// Where the ready images are.
    pub images: PathBuf,
    /// Whether this is an installed whittle, whose ready images are never built.
    pub is_installed: bool,
}

/// What an installed whittle has, below its prefix. The command finds it from where it lies itself, in `bin`, so that
/// the prefix can be moved.
pub mod installed {
    /// The sources, for who has Rust and wants images of their own.
    pub const SOURCE: &str = "lib/whittle/source";
    /// The ready images.
    pub const IMAGES: &str = "lib/whittle/images";
}

/// The target of static Linux programs; `rust-toolchain.toml` names it too.
pub const STATIC: &str = "x86_64-unknown-linux-musl";

/// The repository's own target folder, or a cache where that is not ours to write to.
fn target_of(root: &Path) -> PathBuf {
    let target = root.join("target");
    let place = if target.exists() { &target } else { root };
    if access(place, Access::WRITE_OK).is_ok() { target } else { cache_for(root) }
}

/// A folder of the user's for what is built of these sources.
fn cache_for(root: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    root.hash(&mut hasher);
    let home = || env::var_os("HOME").filter(|home| !home.is_empty()).map(|home| Path::new(&home).join(".cache"));
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|cache| cache.is_absolute()).or_else(home);
    // Who has no home has a folder of their own all the same, which nobody else could have made for them.
    let cache = cache.unwrap_or_else(|| env::temp_dir().join(format!("cache-{}", geteuid().as_raw())));
    cache.join("whittle").join(format!("{:016x}", hasher.finish()))
}

impl House {
    /// Finds the house: `$WHITTLE_ROOT` (the launcher sets it), or where the running binary is installed or was built.
    pub fn find() -> Result<Self, Failure> {
        if let Some(root) = env::var_os("WHITTLE_ROOT") {
            return Ok(Self::repository(root.into()));
        }
        // An installed one first: its prefix may lie in a repository.
        Self::installed()
            .or_else(|| Self::around_this_binary().map(Self::repository))
            .ok_or_else(|| Failure::ours("WHITTLE_ROOT is not set: start ./whittle in the repository instead"))
    }

    /// The house of a repository.
    #[must_use]
    pub fn repository(root: PathBuf) -> Self {
        let target = env::var_os("WHITTLE_TARGET").map_or_else(|| target_of(&root), PathBuf::from);
        let images = target.join("whittle");
        Self { root, target, images, is_installed: false }
    }

    /// The house of this binary's prefix.
    fn installed() -> Option<Self> {
        let binary = env::current_exe().ok()?;
        let prefix = binary.parent()?.parent()?;
        let (root, images) = (prefix.join(installed::SOURCE), prefix.join(installed::IMAGES));
        let target = env::var_os("WHITTLE_TARGET").map_or_else(|| cache_for(&root), PathBuf::from);
        images.is_dir().then_some(Self { root, target, images, is_installed: true })
    }

    fn around_this_binary() -> Option<PathBuf> {
        let binary = env::current_exe().ok()?;
        binary.ancestors().find(|folder| folder.join("rust-toolchain.toml").exists()).map(Path::to_path_buf)
    }

    /// The command, to be started again: the launcher, or this binary where there is none.
    #[must_use]
    pub fn launcher(&self) -> PathBuf {
        let binary = || env::current_exe().unwrap_or_else(|_| "whittle".into());
        if self.is_installed { binary() } else { self.root.join("whittle") }
    }

    /// The command's own binary, where the launcher builds it.
    #[must_use]
    pub fn command(&self) -> PathBuf {
        self.target.join(STATIC).join("command/whittle")
    }

    /// Tells whether the command is in step with its sources.
    #[must_use]
    pub fn command_stamp(&self) -> PathBuf {
        self.command().with_extension("stamp")
    }

    /// `cargo` in the repository, free of the settings of a cargo that may have started us.
    #[must_use]
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&self.root).env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
        cargo.env("PATH", setup::path());
        cargo
    }

    /// What images are built with beside their sources.
    #[must_use]
    pub fn surroundings(&self) -> String {
        self.remapped_paths().collect::<Vec<_>>().join("\n")
    }

    /// Flags by which no image tells where it was built.
    pub fn remapped_paths(&self) -> impl Iterator<Item = String> {
        let folders = self.source_folders().into_iter();
        folders.map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
    }

    /// The folders that sources come from, and their names in images, so that none tells where it was built.
    #[must_use]
    pub fn source_folders(&self) -> [(PathBuf, &'static str); 3] {
        let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let folder = |variable, name| env::var_os(variable).map_or_else(|| home.join(name), PathBuf::from);
        // The last one that fits counts: the repository may lie in one of the others.
        [
            (folder("CARGO_HOME", ".cargo"), "/cargo"),
            (folder("RUSTUP_HOME", ".rustup"), "/rustup"),
            (self.root.clone(), "/whittle"),
        ]
    }
}
