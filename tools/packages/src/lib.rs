//! Programs and files of the host's that whittle's command and tests want, and the Debian packages that bring them.
//!
//! There is one list, [`PACKAGES`]. What is missing is installed where that is ours to do (root on Debian and its kin);
//! elsewhere it is an error that is the line to type, for all of it at once.
#![forbid(unsafe_code)]

mod list;
pub mod source;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

pub use list::{PACKAGES, Package, Purpose};

/// Folders of programs that are not in everybody's PATH: Debian's mke2fs is in one of them.
pub const SYSTEM_FOLDERS: [&str; 2] = ["/usr/sbin", "/sbin"];

/// What is missing and could not be installed. Its text is a sentence with the line to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The programs and files.
    pub things: Vec<&'static str>,
    /// The packages that bring them.
    pub packages: BTreeSet<&'static str>,
}

impl fmt::Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.things.len() == 1 { "is" } else { "are" };
        let packages: Vec<_> = self.packages.iter().copied().collect();
        write!(out, "{} {verb} missing; type: sudo apt-get install {}", self.things.join(", "), packages.join(" "))
    }
}

impl std::error::Error for Missing {}

/// The rows of the list for these programs (by command) and files (by path).
///
/// # Panics
///
/// If one is not on the list: then nobody could say how to get it.
#[must_use]
pub fn rows(things: &[&str]) -> Vec<&'static Package> {
    let row = |thing: &&str| PACKAGES.iter().find(|package| package.brings == *thing);
    things.iter().map(|thing| row(thing).unwrap_or_else(|| panic!("{thing} is not on the list of packages"))).collect()
}

/// Those of these rows that are not there.
#[must_use]
pub fn missing<'a>(rows: impl IntoIterator<Item = &'a Package>) -> Option<Missing> {
    let absent: Vec<&Package> = rows.into_iter().filter(|package| !is_there(package.brings)).collect();
    let things: Vec<_> = absent.iter().map(|package| package.brings).collect();
    let packages = absent.iter().map(|package| package.name).collect();
    (!things.is_empty()).then_some(Missing { things, packages })
}

/// Makes programs and files available: says by `tell` what it installs, if anything.
pub fn need<'a>(rows: impl IntoIterator<Item = &'a Package>, tell: impl FnOnce(&Missing)) -> Result<(), Missing> {
    // Tests are threads, and each may want something.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let rows: Vec<&Package> = rows.into_iter().collect();
    let Some(absent) = missing(rows.iter().copied()) else { return Ok(()) };
    if may_install() {
        tell(&absent);
        install(&absent);
    }
    missing(rows).map_or(Ok(()), Err)
}

/// Whether a command is in PATH or in the system's folders, or a file exists.
#[must_use]
pub fn is_there(thing: &str) -> bool {
    if thing.contains('/') {
        return Path::new(thing).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(SYSTEM_FOLDERS.iter().map(Into::into));
    folders.into_iter().any(|folder| folder.join(thing).is_file())
}

/// Whether we are root on Debian or one of its kin.
#[must_use]
pub fn may_install() -> bool {
    rustix::process::geteuid().is_root() && is_there("apt-get")
}

fn install(absent: &Missing) {
    let install = || {
        // Another process of ours, or the distribution's own timer, may be at it.
        let words = ["-o", "DPkg::Lock::Timeout=600", "install", "-y", "-q", "--no-install-recommends"];
        apt_get(words.into_iter().chain(absent.packages.iter().copied()))
    };
    // The list of packages may be as old as the machine.
    let _done = install() || apt_get(["update", "-q"]) && install();
}

fn apt_get<'a>(words: impl IntoIterator<Item = &'a str>) -> bool {
    let mut command = Command::new("apt-get");
    command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_one_line_to_type() {
        let never = |brings, name| Package { brings, name, purpose: Purpose::Testing };
        let rows = [never("/no/such/file", "one"), never("no-such-command", "two"), never("sh", "dash")];
        let missing = missing(&rows).unwrap();
        let line = "/no/such/file, no-such-command are missing; type: sudo apt-get install one two";
        assert_eq!(missing.to_string(), line);
        assert_eq!(super::missing(&rows[2..]), None);
        assert!(need(&rows[2..], |_| unreachable!("nothing is missing")).is_ok());
    }

    #[test]
    fn each_thing_stands_once() {
        let things: BTreeSet<_> = PACKAGES.iter().map(|package| package.brings).collect();
        assert_eq!(things.len(), PACKAGES.len());
    }

    #[test]
    #[should_panic(expected = "not on the list")]
    fn what_nobody_could_get_is_a_mistake() {
        let _ = rows(&["no-such-command"]);
    }
}
