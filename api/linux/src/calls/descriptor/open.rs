//! Opening files.

use alloc::{borrow::Cow, format, sync::Arc};

use kernel::task::{self, Waited};
use linux_abi::{Directory, Errno, UserPath, constants::OpenFlags};
use vfs::{FileError, Node, OpenRequest};

use crate::{
    Result,
    objects::{
        descriptors::{
            description::{self, Description},
            origin::Origin,
            watching,
        },
        errors,
        files::{self, Seen},
        lacking, terminal,
    },
};

/// open(2): opens the file at a path.
pub fn open(path: UserPath, flags: OpenFlags, mode: u32) -> Result {
    open_file(Directory::WORKING, path, flags, mode)
}

/// creat(2): opens a file for writing, new or emptied.
pub fn creat(path: UserPath, mode: u32) -> Result {
    open_file(Directory::WORKING, path, OpenFlags::O_CREAT | OpenFlags::O_WRONLY | OpenFlags::O_TRUNC, mode)
}

/// openat(2): opens a file, relative to a directory.
pub fn openat(directory: Directory, path: UserPath, flags: OpenFlags, mode: u32) -> Result {
    open_file(directory, path, flags, mode)
}

/// Flags that do something at open only and that F_GETFL does not show.
const NOT_KEPT: OpenFlags = OpenFlags::O_CREAT
    .union(OpenFlags::O_EXCL)
    .union(OpenFlags::O_NOCTTY)
    .union(OpenFlags::O_TRUNC)
    .union(OpenFlags::O_CLOEXEC);

/// Opens what is at the path at `address`.
pub fn open_file(directory: Directory, address: UserPath, flags: OpenFlags, mode: u32) -> Result {
    Seen::with(directory, address, |seen| open_seen(seen, flags, mode))
}

/// Opening it makes a pseudo-terminal (ptmx(4)).
const PSEUDO_TERMINALS: &[u8] = b"/dev/ptmx";

/// Opens what is at the path of `seen`. O_PATH is alone with what it allows beside it.
pub fn open_seen(seen: &Seen<'_>, flags: OpenFlags, mode: u32) -> Result {
    // With O_PATH only these count (open_file(2)).
    let beside = OpenFlags::O_PATH | OpenFlags::O_DIRECTORY | OpenFlags::O_NOFOLLOW | OpenFlags::O_CLOEXEC;
    let flags = if flags.contains(OpenFlags::O_PATH) { flags & beside } else { flags };
    let opened = if flags.contains(OpenFlags::O_TMPFILE) {
        if flags.access() == OpenFlags::O_RDONLY || flags.contains(OpenFlags::O_CREAT) {
            return Err(Errno::EINVAL);
        }
        seen.view().open_nameless(&seen.path, seen.masked(mode), !flags.contains(OpenFlags::O_EXCL))
    } else {
        if flags.contains(OpenFlags::O_CREAT | OpenFlags::O_DIRECTORY) {
            return Err(Errno::EINVAL);
        }
        seen.view().open(&seen.path, &request(flags, seen.masked(mode)))
    };
    let opened = opened.map_err(|error| {
        if error == FileError::NotFound && !contracts::config().pseudo_terminals && &*seen.path == PSEUDO_TERMINALS {
            lacking::pseudo_terminal();
        }
        errors::errno(error)
    })?;
    let is_new = opened.is_new;
    if flags.access() != OpenFlags::O_RDONLY {
        files::set_id::see(if is_new { mode } else { opened.node.metadata().mode });
    }
    let node = match opened.stream {
        // A pipe's end is made for each who opens it.
        Some(stream) => {
            meet(&stream, flags)?;
            stream
        }
        None => Arc::clone(&opened.node),
    };
    if contracts::config().pseudo_terminals
        && !flags.intersects(OpenFlags::O_NOCTTY | OpenFlags::O_PATH)
        && let Some(terminal) = node.terminal().filter(|terminal| terminal.is_taken_by_opening())
    {
        terminal::opened(terminal.control());
    }
    let origin = Origin::Entry { parent: opened.parent, last: opened.last };
    // Files of any length can be opened here, and Linux says so.
    let large = if flags.contains(OpenFlags::O_PATH) { OpenFlags::empty() } else { OpenFlags::O_LARGEFILE };
    let created = if is_new { description::CREATED } else { OpenFlags::empty() };
    let description = Description::new(node, opened.node, (flags - NOT_KEPT) | large | created, origin);
    watching::opened(&description, is_new, flags.contains(OpenFlags::O_TRUNC));
    files::install(description, flags.contains(OpenFlags::O_CLOEXEC))
}

/// Opens the other end of a pseudo-terminal by its number.
pub fn open_terminal(number: u32, flags: OpenFlags) -> Result {
    let path = format!("/dev/pts/{number}").into_bytes();
    open_seen(&Seen::new(Directory::WORKING, Cow::Owned(path))?, flags, 0)
}

/// Opening a named pipe waits until its other end is open too (fifo(7)).
fn meet(node: &Arc<dyn Node>, flags: OpenFlags) -> core::result::Result<(), Errno> {
    match flags & (OpenFlags::O_NONBLOCK | OpenFlags::O_ACCMODE) {
        _ if node.has_partner() => Ok(()),
        flags if !flags.contains(OpenFlags::O_NONBLOCK) => {
            match task::wait(node.wait_queue(), None, || node.has_partner().then_some(())) {
                Waited::Ready(()) => Ok(()),
                Waited::TimedOut | Waited::Interrupted => Err(Errno::ERESTARTSYS),
            }
        }
        flags if flags.access() == OpenFlags::O_WRONLY => Err(Errno::ENXIO),
        _ => Ok(()),
    }
}

fn request(flags: OpenFlags, mode: u32) -> OpenRequest {
    let access = flags.access();
    OpenRequest {
        read: access == OpenFlags::O_RDONLY || access == OpenFlags::O_RDWR,
        write: access == OpenFlags::O_WRONLY || access == OpenFlags::O_RDWR,
        create: flags.contains(OpenFlags::O_CREAT).then_some(mode),
        exclusive: flags.contains(OpenFlags::O_EXCL),
        truncate: flags.contains(OpenFlags::O_TRUNC),
        directory: flags.contains(OpenFlags::O_DIRECTORY),
        no_follow: flags.contains(OpenFlags::O_NOFOLLOW),
        path_only: flags.contains(OpenFlags::O_PATH),
        keep_access_time: flags.contains(OpenFlags::O_NOATIME),
    }
}
