//! Making the library: Debian's source of musl, changed, configured as Debian does, and compiled.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::available_parallelism;

use packages::is_there;
use packages::source::{source, works};

use super::recipe;
use crate::failure::{Doing, Failure};
use crate::setup;

/// What musl's makefile calls it.
const LIBRARY: &str = "lib/libc.so";

/// As Debian's rules have it, without what nobody here needs. Debian's own makefile would build a whole package, and
/// needs the tools for that.
const CONFIGURE: [&str; 5] =
    ["--disable-static", "--disable-gcc-wrapper", "CC=gcc", "CFLAGS=-O2", "LDFLAGS=-Wl,-z,now"];

/// A file that Debian adds to musl: where it lies in the source, and where it is compiled (debian/rules, `copy_fts`).
const ADDED: [[&str; 2]; 3] = [
    ["debian/musl-fts/fts.c", "src/fts/fts.c"],
    ["debian/musl-fts/config.h", "src/fts/config.h"],
    ["debian/musl-fts/fts.h", "include/fts.h"],
];

/// Makes the library in the folder `work`, which is taken away at the end, and leaves it at `library`.
pub fn build(work: &Path, library: &Path) -> Result<(), Failure> {
    if !is_there("apt-get") {
        let sentence = "--libc builds a C library from Debian's source of musl, and this is neither Debian nor its kin";
        return Err(Failure::ours(sentence));
    }
    let tools = setup::things(&["gcc", "make", "dpkg-source"]);
    tools.map_err(|failure| Failure::ours(format!("--libc builds a C library: {}", failure.sentence)))?;
    eprintln!("whittle: building a C library from Debian's source of musl, once: about a minute, 1 MB to fetch");
    let built = in_folder(work, library);
    let _ = fs::remove_dir_all(work);
    built
}

fn in_folder(work: &Path, library: &Path) -> Result<(), Failure> {
    let _ = fs::remove_dir_all(work);
    fs::create_dir_all(work).doing(format!("make {}", work.display()))?;
    source("musl", work).map_err(|why| Failure::ours(format!("--libc gets no source of musl: {}", last_line(&why))))?;
    recipe::apply(work)?;
    fs::create_dir_all(work.join("src/fts")).doing("build musl")?;
    for [from, to] in ADDED {
        fs::copy(work.join(from), work.join(to)).doing(format!("read musl's {from}"))?;
    }
    let run = |command: &mut Command| {
        let done = works(command.current_dir(work));
        done.map_err(|why| Failure::ours(format!("musl does not build: {}", last_line(&why))))
    };
    run(Command::new("./configure").args(CONFIGURE))?;
    let jobs = available_parallelism().map_or(1, usize::from);
    run(Command::new("make").arg("-s").arg(format!("-j{jobs}")).arg(LIBRARY))?;
    // As a whole or not at all: another run may be looking for it.
    fs::rename(work.join(LIBRARY), library).doing(format!("write {}", library.display()))
}

/// Of what a tool has said, the end, which mostly says why.
fn last_line(text: &str) -> &str {
    text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("it does not say why")
}
