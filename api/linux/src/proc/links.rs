//! `/proc/self/{cwd,exe,root,fd/*}`: where the process' links lead.

use alloc::{sync::Arc, vec::Vec};

use fs::proc::ProcessLink;
use vfs::pseudo::Target;

use crate::text::fill;

/// A link of the process. A directory that has been removed has no path, and leads where it was.
pub fn link(which: ProcessLink) -> Option<Target> {
    let location = crate::state::location().clone();
    match which {
        ProcessLink::Directory => {
            let path =
                fs::mounts().path_of(&location.directory, &location.root).unwrap_or_else(|| b"(deleted)".to_vec());
            Some(Target { path, node: Some(location.directory) })
        }
        ProcessLink::Root => Some(Target { path: b"/".to_vec(), node: Some(location.root) }),
        ProcessLink::Executable => executable(),
    }
}

/// Found by its path: it is a file of the tree.
fn executable() -> Option<Target> {
    let program = crate::program();
    (!program.executable.is_empty()).then(|| Target { path: program.executable.as_bytes().to_vec(), node: None })
}

/// What is open under a descriptor.
pub fn descriptor(number: u32) -> Option<Target> {
    let description = crate::files::description(i32::try_from(number).ok()?).ok()?;
    Some(Target { path: description.path(), node: Some(Arc::clone(&description.entry)) })
}

/// What `fdinfo` says: position, flags (in octal), and the mount.
pub fn information(number: u32, out: &mut Vec<u8>) {
    let Ok(description) = crate::files::description(number as i32) else { return };
    let position = description.position.lock().offset;
    fill(out, "pos:\t#\nflags:\t0", &[position]);
    let flags = description.flags();
    let digits = (0..8).rev().map(|digit| flags >> (3 * digit) & 7);
    for digit in digits.skip_while(|&digit| digit == 0) {
        out.push(b'0' + digit as u8);
    }
    fill(out, "\nmnt_id:\t1\nino:\t#\n", &[description.node.metadata().inode]);
}
