//! The state folder: a folder for each named machine, and locks that tell whose it is.
//!
//! It lies below XDG_RUNTIME_DIR, which is the user's alone and gone with the last session. Where there is none, it is
//! a folder of the user's below `/tmp`, which must be theirs alone as well.
//!
//! | file | what it is |
//! |---|---|
//! | `.lock` | held while folders are made, looked through or removed |
//! | `NAME/lock` | held by the machine's keeper, as long as it lives |
//! | `NAME/record.json` | what is known of it ([`Record`]) |
//! | `NAME/log` | what a machine in the background prints |
//! | `NAME/killed` | somebody ended it by force, who waited for its end in vain |

mod claim;
mod place;
#[cfg(test)]
mod tests;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::pid_file;
use super::record::{Record, Stage};
use crate::failure::{Doing, Failure};
use crate::words::Name;
pub use claim::Claim;

/// Nobody holds the folder's lock for long.
const PATIENCE: Duration = Duration::from_secs(10);
/// As many machines that have ended are remembered.
const REMEMBERED: usize = 16;
/// Only the user reads it.
const PRIVATE: u32 = 0o600;

/// The folder.
#[derive(Clone, Debug)]
pub struct State {
    path: PathBuf,
}

/// A named machine as others see it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: Name,
    /// What its keeper has written down.
    pub record: Record,
    /// Whether the keeper lives.
    pub is_kept: bool,
}

impl State {
    /// The path of a file of a machine's.
    #[must_use]
    pub fn file(&self, name: &Name, file: &str) -> PathBuf {
        self.path.join(name.as_str()).join(file)
    }

    /// All machines that have names, in the order of these. What dead keepers left is removed.
    pub fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let _turn = self.turn()?;
        Ok(self.clean())
    }

    /// The machine of this name.
    pub fn entry(&self, name: &Name) -> Result<Entry, Failure> {
        let missing = || Failure::ours(format!("there is no machine {name}: `whittle ps --all` lists those there are"));
        self.entries()?.into_iter().find(|entry| entry.name == *name).ok_or_else(missing)
    }

    /// Removes the folder of a machine that has ended.
    pub fn forget(&self, name: &Name) -> Result<(), Failure> {
        let _turn = self.turn()?;
        if self.look(name).is_none_or(|entry| !entry.is_kept) {
            self.remove(name);
        }
        Ok(())
    }

    /// Looks at all of them. The caller has the turn.
    fn clean(&self) -> Vec<Entry> {
        let names = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let mut names: Vec<Name> = names.filter_map(|name| name.file_name().to_str()?.parse().ok()).collect();
        names.sort();
        let mut entries = Vec::new();
        for name in names {
            match self.look(&name) {
                Some(entry) if entry.is_kept || matches!(entry.record.stage, Stage::Ended { .. }) => {
                    entries.push(entry)
                }
                dead => {
                    if let Some(Entry { record, .. }) = dead {
                        pid_file::remove(record.pid_file.as_deref().map(Path::new), record.keeper);
                    }
                    self.remove(&name);
                }
            }
        }
        self.forget_the_oldest(&mut entries);
        entries
    }

    fn forget_the_oldest(&self, entries: &mut Vec<Entry>) {
        let end = |entry: &Entry| match entry.record.stage {
            Stage::Ended { at, .. } if !entry.is_kept => Some((at, entry.name.clone())),
            _ => None,
        };
        let mut ends: Vec<(u64, Name)> = entries.iter().filter_map(end).collect();
        ends.sort_unstable();
        ends.truncate(ends.len().saturating_sub(REMEMBERED));
        ends.iter().for_each(|(_, name)| self.remove(name));
        entries.retain(|entry| !ends.iter().any(|(_, name)| *name == entry.name));
    }

    /// A machine as it is, unless its folder makes no sense and nobody keeps it.
    fn look(&self, name: &Name) -> Option<Entry> {
        let is_kept = match File::open(self.file(name, "lock")) {
            Ok(lock) => matches!(lock.try_lock(), Err(TryLockError::WouldBlock)),
            Err(_) => false,
        };
        match Record::read(&self.file(name, "record.json")) {
            Some(record) => Some(Entry { name: name.clone(), record, is_kept }),
            // Another version's.
            None if is_kept => Some(Entry { name: name.clone(), record: Record::default(), is_kept }),
            None => None,
        }
    }

    fn remove(&self, name: &Name) {
        // What cannot be removed is tried again by the next who looks, and says so to who wants the name.
        let _ = fs::remove_dir_all(self.path.join(name.as_str()));
    }

    /// Waits until nobody else changes what is in the folder.
    fn turn(&self) -> Result<File, Failure> {
        let path = self.path.join(".lock");
        let lock = open(&path).doing(format!("open {}", path.display()))?;
        let begun = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(2)),
                Err(TryLockError::WouldBlock) => {
                    let sentence = format!("another whittle holds {} for too long: is it stopped?", path.display());
                    return Err(Failure::ours(sentence));
                }
                Err(TryLockError::Error(error)) => return Err(error).doing(format!("lock {}", path.display())),
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(PRIVATE).open(path)
}
