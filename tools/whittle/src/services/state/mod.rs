//! The state folder: a folder for each named machine, and locks that tell whose it is.
//!
//! It lies below XDG_RUNTIME_DIR, which is the user's alone and gone with the last session. Where there is none, it is a
//! folder of the user's below `/tmp`, which must be theirs alone as well.
//!
//! | file | what it is |
//! |---|---|
//! | `.lock` | held while folders are made, looked through or removed |
//! | `NAME/lock` | held by the machine's keeper, as long as it lives |
//! | `NAME/record.json` | what is known of it ([`Record`]) |
//! | `NAME/log` | what a machine in the background prints |
//! | `NAME/killed` | somebody ended it by force, who waited for its end in vain |

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, thread};

use rustix::process::geteuid;

use super::pid_file;
use super::record::{Record, Stage};
use crate::failure::{Doing, Failure};
use crate::words::Name;

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

/// A named machine of this process's: nobody else has the name while this value lives.
#[derive(Debug)]
pub struct Claim {
    state: State,
    /// The name.
    pub name: Name,
    _lock: File,
}

impl State {
    /// Finds the folder, and makes it where it is not there yet.
    pub fn find() -> Result<Self, Failure> {
        Self::at(place(env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from)))
    }

    fn at(path: PathBuf) -> Result<Self, Failure> {
        match DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(error).doing(format!("make the state folder {}", path.display()));
            }
            _ => {}
        }
        // Not what a link leads to: others may write to /tmp.
        let found = fs::symlink_metadata(&path).doing(format!("look at {}", path.display()))?;
        if found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & 0o077 == 0 {
            return Ok(Self { path });
        }
        let path = path.display();
        let sentence =
            format!("{path} is not a folder of yours alone: remove it, or set XDG_RUNTIME_DIR to one that is");
        Err(Failure::ours(sentence))
    }

    /// The path of a file of a machine's.
    #[must_use]
    pub fn file(&self, name: &Name, file: &str) -> PathBuf {
        self.path.join(name.as_str()).join(file)
    }

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
        let (name, since) = (&taken.name, taken.record.age());
        let sentence =
            format!("the name {name} is in use since {since} ago: type `whittle stop {name}`, or take another");
        Err(Failure::ours(sentence))
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
            Stage::Ended { at, .. } if !entry.is_kept => Some(at),
            _ => None,
        };
        let mut ends: Vec<u64> = entries.iter().filter_map(end).collect();
        ends.sort_unstable_by(|one, other| other.cmp(one));
        if let Some(&last) = ends.get(REMEMBERED) {
            let (gone, rest) =
                std::mem::take(entries).into_iter().partition(|entry| end(entry).is_some_and(|at| at <= last));
            *entries = rest;
            gone.iter().for_each(|entry: &Entry| self.remove(&entry.name));
        }
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

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(PRIVATE).open(path)
}

/// Where the folder lies, for a user whose sessions have this place for such things.
fn place(runtime: Option<PathBuf>) -> PathBuf {
    let user = geteuid().as_raw();
    let is_ours = |path: &PathBuf| path.is_absolute() && fs::metadata(path).is_ok_and(|found| found.uid() == user);
    let usual = || Some(PathBuf::from(format!("/run/user/{user}"))).filter(is_ours);
    let below = runtime.filter(is_ours).or_else(usual).map(|folder| folder.join("whittle"));
    below.unwrap_or_else(|| PathBuf::from(format!("/tmp/whittle-{user}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn name(text: &str) -> Name {
        text.parse().unwrap()
    }

    fn one(text: &str) -> impl Iterator<Item = Name> {
        std::iter::once(name(text))
    }

    fn state() -> (tempfile::TempDir, State) {
        let folder = tempfile::tempdir().unwrap();
        let state = State::at(folder.path().join("whittle")).unwrap();
        (folder, state)
    }

    fn names(state: &State) -> Vec<String> {
        state.entries().unwrap().iter().map(|entry| entry.name.to_string()).collect()
    }

    #[test]
    fn the_folder_is_the_users_alone() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(place(Some(folder.path().into())), folder.path().join("whittle"));
        let fallback = place(None);
        for wrong in ["relative", "/no/such/folder", ""] {
            assert_eq!(place(Some(wrong.into())), fallback, "{wrong:?}");
        }
        let path = folder.path().join("whittle");
        State::at(path.clone()).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        assert!(State::at(path.clone()).unwrap_err().sentence.contains("not a folder of yours alone"));
        let link = folder.path().join("link");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        symlink(&path, &link).unwrap();
        assert!(State::at(link).is_err());
    }

    #[test]
    fn a_name_is_one_machines_until_its_keeper_ends() {
        let (_folder, state) = state();
        let claim = state.claim(one("web"), &Record::default()).unwrap();
        let refused = state.claim(one("web"), &Record::default()).unwrap_err();
        assert!(refused.sentence.starts_with("the name web is in use since "), "{}", refused.sentence);
        let second = state.claim(name("web").and_further(), &Record::default()).unwrap();
        assert_eq!((second.name.as_str(), names(&state)), ("web-2", vec!["web".to_owned(), "web-2".to_owned()]));
        // As if it was killed: the lock is gone, and no end was told.
        drop(claim);
        assert_eq!(names(&state), ["web-2"]);
        assert!(!state.path.join("web").exists());
        second.give_back();
        assert!(names(&state).is_empty());
    }

    #[test]
    fn what_has_ended_is_remembered_until_others_have_or_the_name_is_wanted() {
        let (_folder, state) = state();
        let ended = |at| Record { stage: Stage::Ended { status: 7, at }, ..Record::default() };
        for number in 0..REMEMBERED + 3 {
            drop(state.claim(one(&format!("m{number}")), &ended(number as u64)).unwrap());
        }
        let left = state.entries().unwrap();
        assert_eq!(left.len(), REMEMBERED);
        assert!(left.iter().all(|entry| !["m0", "m1", "m2"].contains(&entry.name.as_str()) && !entry.is_kept));
        let _claim = state.claim(one("m5"), &Record::default()).unwrap();
        assert!(state.entry(&name("m5")).unwrap().is_kept);
        state.forget(&name("m5")).unwrap();
        state.forget(&name("m6")).unwrap();
        assert!(state.entry(&name("m5")).is_ok() && state.entry(&name("m6")).is_err());
    }

    #[test]
    fn what_makes_no_sense_is_removed_unless_somebody_keeps_it() {
        let (_folder, state) = state();
        fs::create_dir(state.path.join("empty")).unwrap();
        fs::create_dir(state.path.join("wrong")).unwrap();
        fs::write(state.path.join("wrong/record.json"), "{").unwrap();
        let claim = state.claim(one("kept"), &Record::default()).unwrap();
        fs::write(claim.file("record.json"), "[1]").unwrap();
        assert_eq!(names(&state), ["kept"]);
        assert!(state.claim(one("kept"), &Record::default()).is_err());
    }

    #[test]
    fn a_dead_keepers_pid_file_goes_unless_another_has_it() {
        let (folder, state) = state();
        let file = folder.path().join("pid");
        let record = Record { keeper: 7, pid_file: Some(file.display().to_string()), ..Record::default() };
        for (content, stays) in [("7\n", false), ("8\n", true)] {
            fs::write(&file, content).unwrap();
            drop(state.claim(one("web"), &record).unwrap());
            assert!(names(&state).is_empty());
            assert_eq!(file.exists(), stays, "{content:?}");
        }
    }
}
