//! The file systems of texts.

use vfs::pseudo;

use crate::{proc, sys};

type Name = &'static [u8];

/// The file systems of texts that this image has: names, kinds, and what they show.
pub fn systems() -> impl Iterator<Item = (Name, &'static str, &'static pseudo::System)> {
    let config = contracts::config();
    let proc = config.proc.then_some((&b"proc"[..], "proc", &proc::SYSTEM));
    let sys = config.sys.then_some((&b"sys"[..], "sysfs", &sys::SYSTEM));
    proc.into_iter().chain(sys)
}
