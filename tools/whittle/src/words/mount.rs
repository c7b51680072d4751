//! What the program sees of the host's files, as the machine and the kernel are told of it.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rustix::fs::{Mode, OFlags, open};

/// A directory or file of the host's that the program sees while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Its number: what both sides call it, and its descriptor in a kernel process.
    pub number: i32,
    /// The directory on the host.
    pub host: PathBuf,
    /// The one file in it that is meant, if it is not the directory.
    pub file: Option<OsString>,
    /// Where it stands in the guest.
    pub guest: String,
    /// Nothing is written to it.
    pub read_only: bool,
}

impl Mount {
    /// What the kernel is told: see `launch::Key::Mount`.
    pub fn record(&self) -> Vec<u8> {
        let rights = if self.read_only { "ro" } else { "rw" };
        let mut record = format!("{rights},{}", self.number).into_bytes();
        if let Some(file) = &self.file {
            record.push(b'/');
            record.extend(file.as_bytes());
        }
        record.push(b',');
        record.extend(self.guest.as_bytes());
        record
    }

    /// What people are told.
    pub fn sentence(&self) -> String {
        let host = self.file.as_ref().map_or_else(|| self.host.clone(), |file| self.host.join(file));
        let host = host.display();
        match (self.guest.as_str(), self.read_only) {
            ("/", _) => format!("the program sees the files below {host}; what it changes there stays in memory"),
            (guest, true) => format!("{guest} is {host}, read-only"),
            (guest, false) => format!("{guest} is {host}, where the program may write"),
        }
    }

    /// Opens it for its name, so that the machine sees that very file.
    pub fn open(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        Ok(open(&self.host, flags, Mode::empty())?)
    }
}
