//! Figures that were measured once, with what they belong to.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::{Doing, Failure};

/// Lines of the measured program.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Kept {
    /// What they belong to.
    pub key: String,
    /// When they were measured, seconds since 1970.
    pub seconds: u64,
    /// The lines.
    pub lines: String,
}

impl Kept {
    /// What is kept there, if it belongs to `key`.
    #[must_use]
    pub fn read(place: &Path, key: &str) -> Option<Self> {
        let kept: Self = serde_json::from_str(&fs::read_to_string(place).ok()?).ok()?;
        (kept.key == key).then_some(kept)
    }

    /// Keeps it.
    pub fn write(&self, place: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string(self).doing("keep the reference's figures")?;
        fs::write(place, text).doing(format!("write {}", place.display()))
    }
}

/// A word for these files' contents and this description. It need not withstand anybody: the files are our own.
pub fn key(files: &[&PathBuf], description: &str) -> Result<String, Failure> {
    let mut hasher = DefaultHasher::new();
    hasher.write(description.as_bytes());
    for path in files {
        hasher.write(&fs::read(path).doing(format!("read {}", path.display()))?);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_belong_to_what_was_measured() {
        let folder = tempfile::tempdir().unwrap();
        let (place, file) = (folder.path().join("kept.json"), folder.path().join("kernel"));
        fs::write(&file, "one").unwrap();
        let first = key(&[&file], "flags").unwrap();
        let kept = Kept { key: first.clone(), seconds: 5, lines: "getppid 322.00\n".into() };
        assert_eq!(Kept::read(&place, &first), None);
        kept.write(&place).unwrap();
        assert_eq!(Kept::read(&place, &first), Some(kept));
        fs::write(&file, "two").unwrap();
        for other in [key(&[&file], "flags").unwrap(), key(&[&file], "other flags").unwrap()] {
            assert_ne!(other, first);
            assert_eq!(Kept::read(&place, &other), None);
        }
    }
}
