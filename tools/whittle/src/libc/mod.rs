//! `--libc`: a musl of ours in the place of the distribution's, whose system calls are calls from the first one on.
//!
//! A program that is loaded by musl's loader has its C library in one file with it. What the program sees in that
//! file's place is ours, made once from Debian's source ([`recipe`], [`mod@build`]); the program stays as it is.

mod build;
mod program;
mod recipe;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, process};

use crate::failure::{Doing, Failure};
use crate::fresh::builds_nothing;
use crate::house::House;

pub use program::{loader, loader_in};

/// The distribution's own, whose version tells when ours is to be built anew.
const DISTRIBUTION: &str = "/lib/ld-musl-x86_64.so.1";

/// The library, which is built if it is not there.
pub fn library(house: &House) -> Result<PathBuf, Failure> {
    let folder = house.target.join("libc");
    let library = folder.join(format!("musl-{:016x}.so", stamp()));
    if library.is_file() {
        return Ok(library);
    }
    if builds_nothing() {
        return Err(Failure::ours("--libc: the C library is not built yet, and WHITTLE_BUILD=never has nothing built"));
    }
    fs::create_dir_all(&folder).doing(format!("make {}", folder.display()))?;
    build::build(&folder.join(format!("source.{}", process::id())), &library)?;
    Ok(library)
}

/// Changes with the recipe, and with the distribution's musl.
fn stamp() -> u64 {
    let mut hasher = DefaultHasher::new();
    recipe::text().hash(&mut hasher);
    let distribution = fs::metadata(Path::new(DISTRIBUTION)).map(|found| (found.mtime(), found.len()));
    distribution.unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}
