//! Files that are written as a whole: whoever reads finds all of the new text, or what was there before.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file in the place of what is there.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = beside(path, std::process::id()).ok_or(io::ErrorKind::InvalidInput)?;
    fs::write(&new, bytes).and_then(|()| fs::rename(&new, path)).inspect_err(|_| drop(fs::remove_file(&new)))
}

/// Where the process of this number writes it before it takes its name: a rename stays within a file system.
pub fn beside(path: &Path, process: u32) -> Option<PathBuf> {
    let mut new = path.file_name()?.to_owned();
    new.push(format!(".{process}"));
    Some(path.with_file_name(new))
}
