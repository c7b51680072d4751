//! What whittle wants of the machine: Debian's packages. They are installed where that is ours to
//! do, else named in a line to type.

use std::env;
use std::ffi::OsString;

use packages::{Missing, PACKAGES, Package, Purpose, SYSTEM_FOLDERS};

use crate::failure::Failure;

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

/// PATH with the folders of programs that are not in everybody's: tests start mke2fs and mkfs.vfat by their names.
#[must_use]
pub fn path() -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(SYSTEM_FOLDERS.iter().map(Into::into));
    env::join_paths(folders).unwrap_or(path)
}
