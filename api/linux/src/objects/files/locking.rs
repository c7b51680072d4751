//! Locks on open files, as fcntl(2) and flock(2) take and give them.

use kernel::task::{self, Waited};
use linux_abi::Errno;
use range_locks::{Held, Kind, Refused};

use crate::objects::{
    ability,
    descriptors::{
        Descriptor,
        locking::{LOCKS, file},
        table::Table,
    },
    process::apart,
};

/// What the running process is as the holder of locks: all who have its descriptors are the same one.
pub fn process_holder() -> usize {
    crate::current().files.at().holder()
}

/// The process that people are shown as a lock's holder.
pub fn shown_holder(held: &Held) -> u32 {
    if held.kind == Kind::Process { apart::process_of(held.holder) } else { crate::process().id }
}

/// Takes a lock; EAGAIN if it does not wait and another one is in the way.
#[inline(never)]
pub fn lock(wanted: Held, waits: bool) -> crate::Result {
    let mut result = LOCKS.lock(wanted, waits);
    if result == Err(Refused::Busy) && waits {
        let waited = task::wait_until(Some(LOCKS.changed()), None, &mut || {
            result = LOCKS.lock(wanted, true);
            result != Err(Refused::Busy)
        });
        if waited != Waited::Ready(()) {
            LOCKS.give_up(wanted.holder);
            return Err(Errno::ERESTARTSYS);
        }
    }
    match result {
        Ok(()) => Ok(0),
        Err(Refused::Busy) => Err(Errno::EAGAIN),
        Err(Refused::Deadlock) => Err(Errno::EDEADLK),
    }
}

/// Closes all that was open, when nobody has the table any more.
pub fn close_all(table: Table) {
    table.into_all().for_each(closed);
}

/// A descriptor has been closed: the process' locks on its file go, whichever descriptor they were made by. To be
/// called when the table is no longer locked.
#[inline(always)]
pub fn closed(descriptor: Descriptor) {
    if !LOCKS.is_empty() {
        LOCKS.release(process_holder(), Some(file(&descriptor.description)));
    }
    let is_socket = ability::sockets() && descriptor.description.kind == vfs::Kind::Socket;
    drop(descriptor);
    if is_socket {
        unix_sockets::closed();
    }
}
