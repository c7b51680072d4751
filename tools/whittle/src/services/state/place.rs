//! Where the state folder is, and that it is the user's alone.

use std::env;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::PathBuf;

use rustix::process::geteuid;

use super::State;
use crate::failure::{Doing, Failure};

impl State {
    /// Finds the folder, and makes it where it is not there yet.
    pub fn find() -> Result<Self, Failure> {
        Self::at(place(env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from)))
    }

    pub(super) fn at(path: PathBuf) -> Result<Self, Failure> {
        match DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(error).doing(format!("make the state folder {}", path.display()));
            }
            _ => {}
        }
        // Not what a link leads to: others may write to /tmp.
        let found = fs::symlink_metadata(&path).doing(format!("look at {}", path.display()))?;
        if found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & 0o077 == 0 {
            return Ok(Self { path });
        }
        let path = path.display();
        let sentence =
            format!("{path} is not a folder of yours alone: remove it, or set XDG_RUNTIME_DIR to one that is");
        Err(Failure::ours(sentence))
    }
}

/// Where the folder lies, for a user whose sessions have this place for such things.
pub(super) fn place(runtime: Option<PathBuf>) -> PathBuf {
    let user = geteuid().as_raw();
    let is_ours = |path: &PathBuf| path.is_absolute() && fs::metadata(path).is_ok_and(|found| found.uid() == user);
    let usual = || Some(PathBuf::from(format!("/run/user/{user}"))).filter(is_ours);
    let below = runtime.filter(is_ours).or_else(usual).map(|folder| folder.join("whittle"));
    below.unwrap_or_else(|| PathBuf::from(format!("/tmp/whittle-{user}")))
}
