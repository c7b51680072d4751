//! Watchers: processes that know without looking whether sources have changed, so that a start need not ask the host
//! for the times of a thousand files.
//!
//! A start that looked and found everything current leaves one behind ([`leave`]). It has the host's kernel tell it of
//! changes (inotify(7), [`changes`]), looks once itself, and then answers starts ([`serve`], [`question`]). Whatever
//! changes ends it: no watcher ever has to understand a change. The next start then looks as if there had never been
//! one.
//!
//! It is as sound as the look for everything that is written with write(2), truncated, renamed, linked or removed:
//! Linux queues the event before the call that caused it returns, and a watcher reads its queue before each answer. Two
//! ways to change a file are told of only when the last one closes it: stores into a shared mapping, and writes of
//! io_submit(2). The time of a file changes at the first store into each clean page of a mapping, so a look sees those
//! earlier. No editor, version control or build writes sources in such a way and leaves them open.
//!
//! `WHITTLE_WATCH=never` asks no watcher and leaves none.

mod changes;
mod leave;
mod question;
mod serve;
#[cfg(test)]
mod tests;

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::SocketAddrUnix;
use rustix::process::geteuid;

pub use changes::{Changes, is_told_of};
pub use leave::leave;
pub use question::Answer;
pub use serve::Watcher;

use crate::house::House;

/// The name of the command's verb that is a watcher.
pub const VERB: &str = "watch-sources";

/// A watcher ends when nobody has asked it anything for this long.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Counts changes of what a watcher and a start say to each other.
const PROTOCOL: u32 = 1;

/// The user of whom Linux does not know a number here (`/proc/sys/kernel/overflowuid`): may be anybody.
const NOBODY: u32 = 65534;

/// `WHITTLE_WATCH=never`.
#[must_use]
pub fn is_unwanted() -> bool {
    env::var_os("WHITTLE_WATCH").is_some_and(|word| word == "never")
}

/// What a watcher is asked about: a stamp, and in what way the thing beside it is to be built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The stamp.
    pub stamp: PathBuf,
    /// How it is built.
    pub words: String,
}

impl Built {
    /// Stands for it in answers.
    fn number(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.stamp, &self.words).hash(&mut hasher);
        hasher.finish()
    }
}

/// Where the watcher of some stamps is found, by what makes their paths mean the same files to it and to who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address(u64);

impl Address {
    /// The address of the watcher of `first` and what it watches beside that. None if a path depends on where a process
    /// is.
    #[must_use]
    pub fn of(house: &House, first: &Path) -> Option<Self> {
        if geteuid().as_raw() == NOBODY || ![&house.root, &house.target, first].iter().all(|path| path.is_absolute()) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        (PROTOCOL, &house.root, &house.target, house.surroundings(), first).hash(&mut hasher);
        // Another checkout at the same path, another root folder (chroot(2)), another view of mounts.
        for place in [&house.root, Path::new("/"), Path::new("/proc/self/ns/mnt")] {
            let status = rustix::fs::stat(place).ok()?;
            (status.st_dev, status.st_ino).hash(&mut hasher);
        }
        Some(Self(hasher.finish()))
    }

    /// A socket without a file (unix(7), abstract): it is gone with its process, and two cannot have it.
    fn socket(self) -> Result<SocketAddrUnix, Errno> {
        SocketAddrUnix::new_abstract_name(format!("whittle-sources-{}-{:016x}", geteuid().as_raw(), self.0).as_bytes())
    }
}
