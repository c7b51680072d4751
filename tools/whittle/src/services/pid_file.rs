//! A file with the number of the process that takes a machine's signals, for those who look for one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::{Doing, Failure};

/// The file, which goes with this value.
#[derive(Debug)]
pub struct PidFile {
    path: PathBuf,
}

impl PidFile {
    /// Writes it. Whoever reads finds a whole number, or what was there before.
    pub fn write(path: &Path) -> Result<Self, Failure> {
        let path = std::path::absolute(path).doing(format!("find {}", path.display()))?;
        replace(&path, std::process::id()).doing(format!("write the pid file {}", path.display()))?;
        Ok(Self { path })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PidFile {
    fn drop(&mut self) {
        remove(Some(&self.path), std::process::id());
    }
}

fn replace(path: &Path, number: u32) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    // Beside it, for a rename stays within a file system.
    let mut new = name.to_owned();
    new.push(format!(".{number}"));
    let new = path.with_file_name(new);
    fs::write(&new, format!("{number}\n"))?;
    fs::rename(&new, path).inspect_err(|_| drop(fs::remove_file(&new)))
}

/// Removes a file that holds this number: another process may have written its own there.
pub fn remove(path: Option<&Path>, number: u32) {
    let Some(path) = path else { return };
    if fs::read_to_string(path).is_ok_and(|text| text.trim() == number.to_string()) {
        // Nobody misses it if it is gone already.
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_while_it_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pid");
        fs::write(&path, "1\n").unwrap();
        let file = PidFile::write(&path).unwrap();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), format!("{}\n", std::process::id()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        drop(file);
        assert!(!path.exists());
        let file = PidFile::write(&path).unwrap();
        fs::write(&path, "1\n").unwrap();
        drop(file);
        assert!(path.exists(), "another's stays");
        let failure = PidFile::write(Path::new("/no/such/folder/pid")).unwrap_err();
        assert_eq!(failure.sentence, "cannot write the pid file /no/such/folder/pid: no such file or directory");
        fs::create_dir(folder.path().join("folder")).unwrap();
        PidFile::write(&folder.path().join("folder")).unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
    }
}
