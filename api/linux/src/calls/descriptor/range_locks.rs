//! Locks of fcntl(2): of the process (F_SETLK) and of an open file (F_OFD_SETLK).

use linux_abi::{
    Errno, UserAddress,
    constants::{F_GETLK, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_SETLKW, SEEK_CUR, SEEK_END, SEEK_SET},
    structures::FileLock,
};
use range_locks::{Held, Kind};

use crate::{
    Result,
    objects::{
        descriptors::{
            description::Description,
            locking::{self, LOCKS},
        },
        files, user,
    },
};

/// `l_type`: for reading, for writing, none.
const F_RDLCK: i16 = 0;
const F_WRLCK: i16 = 1;
const F_UNLCK: i16 = 2;

/// Takes, gives back or asks about the lock at `address`.
pub fn operate(description: &Description, operation: u32, address: UserAddress) -> Result {
    let mut lock: FileLock = user::read_struct(address)?;
    let of_file = matches!(operation, F_OFD_GETLK | F_OFD_SETLK | F_OFD_SETLKW);
    if of_file && lock.l_pid != 0 || !(F_RDLCK..=F_UNLCK).contains(&lock.l_type) {
        return Err(Errno::EINVAL);
    }
    let (start, last) = range(description, &lock)?;
    let (kind, holder) = if of_file {
        (Kind::Range, locking::holder(description))
    } else {
        (Kind::Process, files::locking::process_holder())
    };
    let file = locking::file(description);
    let wanted = Held { file, kind, holder, write: lock.l_type == F_WRLCK, start, last };
    if matches!(operation, F_GETLK | F_OFD_GETLK) {
        if lock.l_type == F_UNLCK {
            return Err(Errno::EINVAL);
        }
        match LOCKS.conflict(&wanted) {
            Some(found) => describe(&mut lock, &found),
            None => lock.l_type = F_UNLCK,
        }
        return user::answer(address, &lock);
    }
    match lock.l_type {
        F_RDLCK => description.check_readable()?,
        F_WRLCK => description.check_writable()?,
        _ => {
            LOCKS.unlock(&wanted);
            return Ok(0);
        }
    }
    files::locking::lock(wanted, matches!(operation, F_SETLKW | F_OFD_SETLKW))
}

/// First and last byte of what `struct flock` means.
fn range(description: &Description, lock: &FileLock) -> core::result::Result<(u64, u64), Errno> {
    let base = match lock.l_whence as u32 {
        SEEK_SET => 0,
        SEEK_CUR => description.position.lock().offset,
        SEEK_END => description.node.metadata().size,
        _ => return Err(Errno::EINVAL),
    };
    let start = (base as i64).checked_add(lock.l_start).ok_or(Errno::EOVERFLOW)?;
    let (start, last) = match lock.l_len {
        0 => (start, u64::MAX),
        length if length > 0 => (start, start.checked_add(length - 1).ok_or(Errno::EOVERFLOW)? as u64),
        length => (start.checked_add(length).ok_or(Errno::EINVAL)?, (start - 1) as u64),
    };
    if start < 0 { Err(Errno::EINVAL) } else { Ok((start as u64, last)) }
}

fn describe(lock: &mut FileLock, found: &Held) {
    lock.l_type = if found.write { F_WRLCK } else { F_RDLCK };
    lock.l_whence = SEEK_SET as i16;
    lock.l_start = found.start as i64;
    lock.l_len = if found.last == u64::MAX { 0 } else { (found.last - found.start + 1) as i64 };
    lock.l_pid = if found.kind == Kind::Process { files::locking::shown_holder(found) as i32 } else { -1 };
}
