//! Counting programs that start others: all of their files lie in the machine's memory.
//!
//! A program that the host shares is read from there whenever it starts, and what the machine waits for the host would
//! count. In the Linux guest beside it the files are in memory too.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::guest;
use super::program::work_folder;
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::pack::tree::{Entry, Kind, Tree};
use crate::pack::write;

/// Where the measured program stands, as in the Linux guest.
const PROGRAM: &str = "/bench";

/// The measured program and a shell, in an archive.
pub struct Alone {
    /// The options of `whittle run` that make the archive all that the program sees.
    pub options: [String; 2],
    /// The measured program's place there.
    pub program: PathBuf,
}

impl Alone {
    /// Writes the archive.
    pub fn pack(house: &House, program: &Path) -> Result<Self, Failure> {
        let place = work_folder(house)?.join("processes.cpio");
        let mut tree = Tree::default();
        for (path, file) in [("/bin/busybox", guest::busybox()?), (PROGRAM, program.to_owned())] {
            let file = fs::canonicalize(&file).doing(format!("find {}", file.display()))?;
            let length = fs::metadata(&file).doing(format!("read {}", file.display()))?.len();
            tree.put(Path::new(path), Entry { kind: Kind::File(file, length), ..Entry::directory(0o755) })?;
        }
        let mut archive = write(&tree, &[])?;
        let doing = || format!("write {}", place.display());
        let mut target = File::create(&place).doing(doing())?;
        io::copy(&mut archive, &mut target).doing(doing())?;
        Ok(Self { options: ["--root".into(), place.display().to_string()], program: PROGRAM.into() })
    }
}
