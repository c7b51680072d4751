//! A file with the number of the process that takes a machine's signals, for those who look for one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Doing, Failure};
use crate::whole::{beside, replace};

/// The file, which goes with this value.
#[derive(Debug)]
pub struct PidFile {
    path: PathBuf,
}

impl PidFile {
    /// Where it will be: known before it is written, so that it is found should this process be killed.
    pub fn at(path: &Path) -> Result<Self, Failure> {
        let path = std::path::absolute(path).doing(format!("find {}", path.display()))?;
        Ok(Self { path })
    }

    /// Writes it. Whoever reads finds a whole number, or what was there before.
    pub fn write(&self) -> Result<(), Failure> {
        let number = format!("{}\n", std::process::id());
        replace(&self.path, number.as_bytes()).doing(format!("write the pid file {}", self.path.display()))
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

/// Removes a file that holds this number, for another process may have written its own there; and what is left where
/// the process was killed before the file had its name.
pub fn remove(path: Option<&Path>, number: u32) {
    let Some(path) = path else { return };
    if fs::read_to_string(path).is_ok_and(|text| text.trim() == number.to_string()) {
        // Nobody misses it if it is gone already.
        let _ = fs::remove_file(path);
    }
    let _ = beside(path, number).map(fs::remove_file);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_while_it_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pid");
        fs::write(&path, "1\n").unwrap();
        let file = PidFile::at(&path).unwrap();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), "1\n");
        file.write().unwrap();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), format!("{}\n", std::process::id()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        drop(file);
        assert!(!path.exists());
        let file = PidFile::at(&path).unwrap();
        file.write().unwrap();
        fs::write(&path, "1\n").unwrap();
        drop(file);
        assert!(path.exists(), "another's stays");
        let failure = PidFile::at(Path::new("/no/such/folder/pid")).unwrap().write().unwrap_err();
        assert_eq!(failure.sentence, "cannot write the pid file /no/such/folder/pid: no such file or directory");
        fs::write(folder.path().join("pid.7"), "7\n").unwrap();
        remove(Some(&path), 7);
        fs::create_dir(folder.path().join("folder")).unwrap();
        PidFile::at(&folder.path().join("folder")).unwrap().write().unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
    }
}
