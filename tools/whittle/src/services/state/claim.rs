//! Names that are taken: of two who want one at a time, one has it.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use super::{State, open};
use crate::failure::{Doing, Failure};
use crate::services::record::Record;
use crate::words::Name;

/// A named machine of this process's: nobody else has the name while this value lives.
#[derive(Debug)]
pub struct Claim {
    state: State,
    /// The name.
    pub name: Name,
    _lock: File,
}

impl State {
    /// Takes a name for a machine of this process's, or the first of several that is free.
    pub fn claim(&self, mut names: impl Iterator<Item = Name>, record: &Record) -> Result<Claim, Failure> {
        let _turn = self.turn()?;
        self.clean();
        let mut taken = None;
        for name in names.by_ref().take(1000) {
            match self.look(&name) {
                Some(entry) if entry.is_kept => taken = taken.or(Some(entry)),
                _ => return self.make(name, record),
            }
        }
        let taken = taken.ok_or_else(|| Failure::ours("a machine wants a name"))?;
        let (name, age) = (&taken.name, taken.record.age());
        Err(Failure::ours(format!(
            "the name {name} is in use, by a machine of {age} ago: type `whittle stop {name}`, or take another"
        )))
    }

    fn make(&self, name: Name, record: &Record) -> Result<Claim, Failure> {
        let folder = self.path.join(name.as_str());
        let doing = || format!("make {}", folder.display());
        self.remove(&name);
        DirBuilder::new().mode(0o700).create(&folder).doing(doing())?;
        let lock = open(&folder.join("lock")).doing(doing())?;
        lock.try_lock().doing(format!("lock {}", folder.join("lock").display()))?;
        let claim = Claim { state: self.clone(), name, _lock: lock };
        claim.write(record).doing(doing())?;
        Ok(claim)
    }
}

impl Claim {
    /// The path of a file of the machine's.
    #[must_use]
    pub fn file(&self, file: &str) -> PathBuf {
        self.state.file(&self.name, file)
    }

    /// Writes down what is known of the machine: whoever reads finds either what was or what is.
    pub fn write(&self, record: &Record) -> io::Result<()> {
        let (new, file) = (self.file("record.new"), self.file("record.json"));
        fs::write(&new, record.text())?;
        fs::rename(new, file)
    }

    /// Gives the name back; what is known of the machine goes with it.
    pub fn give_back(&self) {
        if let Ok(_turn) = self.state.turn() {
            self.state.remove(&self.name);
        }
    }
}
