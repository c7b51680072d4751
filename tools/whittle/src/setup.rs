//! What whittle wants of the machine: Debian's packages, and parts of the toolchain. It is installed where that is ours to
//! do, else named in a line to type.

use std::env;
use std::ffi::OsString;
use std::process::{Command, Stdio};

use packages::{Missing, PACKAGES, Package, Purpose, SYSTEM_FOLDERS};

use crate::failure::Failure;
use crate::house::House;

/// Cargo's subcommands that `check` wants, by the toolchain's components.
const COMPONENTS: [(&str, &str); 2] = [("clippy", "clippy"), ("fmt", "rustfmt")];

/// Makes everything on the list for that purpose available.
pub fn packages(purpose: Purpose) -> Result<(), Failure> {
    needed(PACKAGES.iter().filter(|package| package.purpose == purpose))
}

/// Makes these programs and files available.
pub fn things(things: &[&str]) -> Result<(), Failure> {
    needed(packages::rows(things))
}

/// Makes QEMU available.
pub fn qemu() -> Result<(), Failure> {
    things(&["qemu-system-x86_64"])
        .map_err(|failure| Failure::ours(format!("the platform pc needs QEMU: {}", failure.sentence)))
}

fn needed<'a>(rows: impl IntoIterator<Item = &'a Package>) -> Result<(), Failure> {
    let tell = |missing: &Missing| {
        let packages: Vec<&str> = missing.packages.iter().copied().collect();
        eprintln!("whittle: installing {} with apt-get, once", packages.join(", "));
    };
    packages::need(rows, tell).map_err(|missing| Failure::ours(missing.to_string()))
}

/// Adds what `check` wants of the toolchain that `rust-toolchain.toml` names.
pub fn toolchain(house: &House) -> Result<(), Failure> {
    let works = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    for (subcommand, component) in COMPONENTS {
        let is_there = || works(house.cargo().args([subcommand, "--version"]));
        let mut add = Command::new("rustup");
        add.current_dir(&house.root).args(["component", "add", component]);
        let added = is_there() || works(&mut add) && is_there();
        if !added {
            let sentence = format!("{component} is missing; type: rustup component add {component}");
            return Err(Failure::ours(sentence));
        }
    }
    Ok(())
}

/// PATH with the folders of programs that are not in everybody's: tests start mke2fs and mkfs.vfat by their names.
#[must_use]
pub fn path() -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(SYSTEM_FOLDERS.iter().map(Into::into));
    env::join_paths(folders).unwrap_or(path)
}
