//! `--libc`: what the program sees in the place of its C library.

use std::fs;
use std::path::{Path, PathBuf};

use crate::arguments::Run;
use crate::failure::Failure;
use crate::house::House;
use crate::libc::{self, loader, loader_in};
use crate::pack::Tree;
use crate::pack::tree::Kind;
use crate::words::{Root, Share};

/// Our library at the place of the program's loader, if that is asked for.
pub fn replaced(house: &House, run: &Run, program: &Path, unpacked: Option<&Tree>) -> Result<Option<Share>, Failure> {
    if !run.libc {
        return Ok(None);
    }
    let guest = match (run.root(), unpacked) {
        (Root::Image(image), _) => {
            let image = image.display();
            return Err(Failure::ours(format!("--libc looks into the program, which it cannot on the disk {image}")));
        }
        (Root::Archive(_), Some(tree)) => in_archive(tree, program)?,
        (Root::Folder(root), _) => loader(program, root)?,
        _ => {
            let loader = loader(program, "/".as_ref())?;
            // It is a link to the library in Debian: whoever opens that finds the same.
            fs::canonicalize(&loader).ok().filter(|_| *run.root() == Root::Host).unwrap_or(loader)
        }
    };
    let guest = guest.display().to_string();
    Ok(Some(Share { host: libc::library(house)?, guest, read_only: true }))
}

fn in_archive(tree: &Tree, program: &Path) -> Result<PathBuf, Failure> {
    match tree.get(program).map(|entry| &entry.kind) {
        Some(Kind::Contents(bytes)) => loader_in(program, bytes),
        _ => Err(Failure::ours(format!("--libc looks into the program, and {} is no file there", program.display()))),
    }
}
