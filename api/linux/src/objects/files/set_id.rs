//! The set-user-ID and set-group-ID bits of a file that somebody changes who may not give them (`file_remove_privs` of
//! Linux).
//!
//! Nearly no program has such a file open for writing, so a write asks one word whether any was ever seen: when it was
//! opened to be written, made so, or given such bits.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use identity::Capability;
use linux_abi::Errno;
use vfs::{Change, Kind, Node};

use super::credentials;
use crate::objects::errors::errno;

static SEEN: AtomicBool = AtomicBool::new(false);

/// A file that somebody may write has or gets this mode.
pub fn see(mode: u32) {
    if mode & 0o6000 != 0 {
        SEEN.store(true, Relaxed);
    }
}

/// Whether any file may have such bits.
#[inline(always)]
pub fn is_seen() -> bool {
    SEEN.load(Relaxed)
}

/// Contents of a file are about to change: it loses its bits, unless who changes it may leave them (CAP_FSETID).
#[cold]
#[inline(never)]
pub fn drop_bits(node: &dyn Node, kind: Kind) -> Result<(), Errno> {
    if !is_seen() || kind != Kind::Regular || crate::objects::process::may(Capability::Fsetid) {
        return Ok(());
    }
    let metadata = node.metadata();
    match credentials().bits_lost(&metadata) {
        0 => Ok(()),
        lost => node.change(&Change { mode: Some(metadata.mode & !lost), ..Change::default() }).map_err(errno),
    }
}
