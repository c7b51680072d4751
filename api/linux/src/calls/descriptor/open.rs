//! Opening files.

use alloc::sync::Arc;

use kernel::task::{self, Waited};
use linux_abi::{
    Errno,
    constants::{
        AT_FDCWD, O_ACCMODE, O_CLOEXEC, O_CREAT, O_DIRECTORY, O_EXCL, O_LARGEFILE, O_NOATIME, O_NOCTTY, O_NOFOLLOW,
        O_NONBLOCK, O_PATH, O_RDONLY, O_RDWR, O_TMPFILE, O_TRUNC, O_WRONLY,
    },
};
use vfs::{FileError, Node, OpenRequest};

use crate::{
    Call, Result,
    objects::{
        descriptors::{
            description::{self, Description},
            origin::Origin,
            watching,
        },
        errors,
        files::{self, Seen},
        lacking,
    },
};

/// open(2): opens the file at a path.
pub fn open(call: &mut Call) -> Result {
    open_file(AT_FDCWD, call.argument(0), call.unsigned(1), call.unsigned(2))
}

/// creat(2): opens a file for writing, new or emptied.
pub fn creat(call: &mut Call) -> Result {
    open_file(AT_FDCWD, call.argument(0), O_CREAT | O_WRONLY | O_TRUNC, call.unsigned(1))
}

/// openat(2): opens a file, relative to a directory.
pub fn openat(call: &mut Call) -> Result {
    open_file(call.int(0), call.argument(1), call.unsigned(2), call.unsigned(3))
}

/// Flags that do something at open only and that F_GETFL does not show.
const NOT_KEPT: u32 = O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC;

/// Opens what is at the path at `address`.
pub fn open_file(directory: i32, address: usize, flags: u32, mode: u32) -> Result {
    open_seen(&*Seen::at(directory, address)?, flags, mode)
}

/// Opening it makes a pseudo-terminal (ptmx(4)).
const PSEUDO_TERMINALS: &[u8] = b"/dev/ptmx";

/// Opens what is at the path of `seen`. O_PATH is alone with what it allows beside it.
pub fn open_seen(seen: &Seen, flags: u32, mode: u32) -> Result {
    // With O_PATH only these count (open_file(2)).
    let flags = if flags & O_PATH != 0 { flags & (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) } else { flags };
    let opened = if flags & O_TMPFILE == O_TMPFILE {
        if flags & O_ACCMODE == O_RDONLY || flags & O_CREAT != 0 {
            return Err(Errno::EINVAL);
        }
        seen.view().open_nameless(&seen.path, seen.masked(mode), flags & O_EXCL == 0)
    } else {
        if flags & (O_CREAT | O_DIRECTORY) == O_CREAT | O_DIRECTORY {
            return Err(Errno::EINVAL);
        }
        seen.view().open(&seen.path, &request(flags, seen.masked(mode)))
    };
    let opened = opened.map_err(|error| {
        if error == FileError::NotFound && &*seen.path == PSEUDO_TERMINALS {
            lacking::pseudo_terminal();
        }
        errors::errno(error)
    })?;
    let is_new = opened.is_new;
    if flags & O_ACCMODE != O_RDONLY {
        files::set_id::see(if is_new { mode } else { opened.node.metadata().mode });
    }
    let node = opened.stream.unwrap_or_else(|| Arc::clone(&opened.node));
    meet(&node, flags)?;
    let origin = Origin::Entry { parent: opened.parent, last: opened.last };
    // Files of any length can be opened here, and Linux says so.
    let large = if flags & O_PATH == 0 { O_LARGEFILE } else { 0 };
    let created = if is_new { description::CREATED } else { 0 };
    let description = Description::new(node, opened.node, flags & !NOT_KEPT | large | created, origin);
    watching::opened(&description, is_new, flags & O_TRUNC != 0);
    files::install(description, flags & O_CLOEXEC != 0)
}

/// Opening a named pipe waits until its other end is open too (fifo(7)).
fn meet(node: &Arc<dyn Node>, flags: u32) -> core::result::Result<(), Errno> {
    match flags & (O_NONBLOCK | O_ACCMODE) {
        _ if node.has_partner() => Ok(()),
        flags if flags & O_NONBLOCK == 0 => {
            match task::wait(node.wait_queue(), None, || node.has_partner().then_some(())) {
                Waited::Ready(()) => Ok(()),
                Waited::TimedOut | Waited::Interrupted => Err(Errno::ERESTARTSYS),
            }
        }
        flags if flags & O_ACCMODE == O_WRONLY => Err(Errno::ENXIO),
        _ => Ok(()),
    }
}

fn request(flags: u32, mode: u32) -> OpenRequest {
    let access = flags & O_ACCMODE;
    OpenRequest {
        read: access == O_RDONLY || access == O_RDWR,
        write: access == O_WRONLY || access == O_RDWR,
        create: (flags & O_CREAT != 0).then_some(mode),
        exclusive: flags & O_EXCL != 0,
        truncate: flags & O_TRUNC != 0,
        directory: flags & O_DIRECTORY != 0,
        no_follow: flags & O_NOFOLLOW != 0,
        path_only: flags & O_PATH != 0,
        keep_access_time: flags & O_NOATIME != 0,
    }
}
