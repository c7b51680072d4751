//! Objects that programs share by keys: System V shared memory, semaphores and message queues (sysvipc(7)).
//!
//! The rules are in the element `ipc`; here are its objects, which belong to the machine and to no process, and the
//! copies from and to programs, made while nothing is locked.

pub mod attachment;
pub mod listing;

use alloc::sync::Arc;

use identity::Capability;
use ipc::{Caller, Object, Permission, message::Queues, segment::Segments, semaphore::Sets};
use linux_abi::{Errno, UserAddress, structures::IpcPermission};
use sync::Mutex;
use vfs::Node;

use crate::objects::user;

/// Shared memory; a segment's bytes are those of a file in memory.
pub static SEGMENTS: Mutex<Segments<Arc<dyn Node>>> = Mutex::new(Segments::new());
/// Semaphores.
pub static SETS: Mutex<Sets> = Mutex::new(Sets::new());
/// Message queues.
pub static QUEUES: Mutex<Queues> = Mutex::new(Queues::new());

/// Does `work` as the running process.
pub fn as_caller<R>(work: impl FnOnce(&Caller<'_>) -> R) -> R {
    let identity = crate::objects::process::identity().clone();
    work(&Caller {
        process: crate::process().id,
        user: identity.user.effective,
        group: identity.group.effective,
        file_group: identity.group.file,
        groups: &identity.groups,
        passes: identity.may(Capability::IpcOwner),
        administers: identity.may(Capability::SysAdmin),
    })
}

/// The number for an error.
#[inline(never)]
pub fn errno(error: ipc::Error) -> Errno {
    match error {
        ipc::Error::Invalid => Errno::EINVAL,
        ipc::Error::NotFound => Errno::ENOENT,
        ipc::Error::Exists => Errno::EEXIST,
        ipc::Error::Denied => Errno::EACCES,
        ipc::Error::NotPermitted => Errno::EPERM,
        ipc::Error::NoRoom => Errno::ENOSPC,
        ipc::Error::NoMemory => Errno::ENOMEM,
        ipc::Error::Removed => Errno::EIDRM,
        ipc::Error::WouldBlock => Errno::EAGAIN,
        ipc::Error::NoMessage => Errno::ENOMSG,
        ipc::Error::TooLong => Errno::E2BIG,
        ipc::Error::NoSuchSemaphore => Errno::EFBIG,
        ipc::Error::OutOfRange => Errno::ERANGE,
    }
}

/// The present moment in seconds, as objects keep it.
pub fn now() -> i64 {
    (contracts::clock::wall() / 1_000_000_000) as i64
}

/// An object's owner and mode, as `*_STAT` tells them.
pub fn permission<T>(object: &Object<T>) -> IpcPermission {
    let Permission { key, user, group, creator, creator_group, mode } = object.permission;
    IpcPermission {
        key,
        uid: user,
        gid: group,
        cuid: creator,
        cgid: creator_group,
        mode,
        seq: object.sequence as u16,
        ..IpcPermission::default()
    }
}

/// Gives an object to whom the structure at the call's buffer names (IPC_SET).
pub fn set_owner<T>(object: &mut Object<T>, caller: &Caller<'_>, wanted: &IpcPermission) -> Result<(), Errno> {
    // As for ids of setuid(2), the last number is nobody's.
    if wanted.uid == u32::MAX || wanted.gid == u32::MAX {
        return Err(Errno::EINVAL);
    }
    object.permission.check_owner(caller).map_err(errno)?;
    object.permission.set(wanted.uid, wanted.gid, wanted.mode);
    Ok(())
}

/// Writes what a command tells, and answers `value`.
pub fn told<T: zerocopy::IntoBytes + zerocopy::Immutable>(
    address: UserAddress,
    structure: &T,
    value: usize,
) -> crate::Result {
    user::write_struct(address, structure).map(|()| value)
}
