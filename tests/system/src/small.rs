//! A file system that is soon full.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::skip;

/// A file system of a megabyte at its place, mounted while the value lives.
pub struct Small(pub PathBuf);

impl Small {
    /// Skips the test where nothing may be mounted.
    #[must_use]
    pub fn new(place: PathBuf) -> Self {
        fs::create_dir(&place).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(&place).status();
        if mounted.is_ok_and(|status| status.success()) {
            return Self(place);
        }
        skip("no file system can be mounted: not root")
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
