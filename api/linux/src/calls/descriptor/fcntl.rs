//! fcntl(2).

use alloc::sync::Arc;
use core::any::Any;

use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    constants::{
        DN_MULTISHOT, F_ADD_SEALS, F_CREATED_QUERY, F_DUPFD, F_DUPFD_CLOEXEC, F_GET_SEALS, F_GETFD, F_GETFL, F_GETLK,
        F_GETOWN, F_GETOWN_EX, F_GETPIPE_SZ, F_GETSIG, F_NOTIFY, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_OWNER_PGRP,
        F_OWNER_PID, F_SEAL_EXEC, F_SEAL_FUTURE_WRITE, F_SEAL_GROW, F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_WRITE, F_SETFD,
        F_SETFL, F_SETLK, F_SETLKW, F_SETOWN, F_SETOWN_EX, F_SETPIPE_SZ, F_SETSIG, FD_CLOEXEC, OpenFlags, SIGRTMAX,
    },
    structures::FileOwner,
};
use vfs::pipe::PipeEnd;

use super::range_locks;
use crate::{
    Result,
    objects::{
        descriptors::Description,
        errors,
        events::ownership,
        files::{self, MemFd},
        process::limits,
        user,
    },
};

/// Controls a descriptor or an open file.
pub fn fcntl(descriptor: FileDescriptor, operation: u32, argument: usize) -> Result {
    let description = &files::description(descriptor)?;
    let number = argument as u32;
    let allowed_for_path =
        matches!(operation, F_CREATED_QUERY | F_DUPFD | F_DUPFD_CLOEXEC | F_GETFD | F_SETFD | F_GETFL);
    if description.flags().contains(OpenFlags::O_PATH) && !allowed_for_path {
        return Err(Errno::EBADF);
    }
    match operation {
        F_DUPFD | F_DUPFD_CLOEXEC => duplicate(Arc::clone(description), argument, operation == F_DUPFD_CLOEXEC),
        F_GETFD => {
            let close = crate::objects::process::descriptors().descriptor(descriptor.0)?.close_on_exec;
            Ok(if close { FD_CLOEXEC as usize } else { 0 })
        }
        F_SETFD => {
            crate::objects::process::descriptors().set_close_on_exec(descriptor.0, number & FD_CLOEXEC != 0)?;
            Ok(0)
        }
        F_GETFL => Ok(description.flags().bits() as usize),
        F_SETFL => set_flags(description, descriptor, OpenFlags::from_bits_retain(number)),
        F_GETLK | F_SETLK | F_SETLKW | F_OFD_GETLK | F_OFD_SETLK | F_OFD_SETLKW => {
            range_locks::operate(description, operation, UserAddress(argument))
        }
        // Nobody is told of changes; to be told no more is granted, as by a Linux without them.
        F_NOTIFY if number & !DN_MULTISHOT == 0 => Ok(0),
        F_GET_SEALS => Ok(description.node_as::<MemFd>()?.seals() as usize),
        F_ADD_SEALS => add_seals(description, number),
        F_CREATED_QUERY => Ok(description.is_created().into()),
        F_GETOWN => Ok(owner(description) as isize as usize),
        F_SETOWN => set_owner(description, number.cast_signed()),
        F_GETOWN_EX => user::answer(UserAddress(argument), &ownership::owner(description)),
        F_SETOWN_EX => {
            ownership::set(description, user::read_struct(UserAddress(argument))?)?;
            Ok(0)
        }
        F_GETSIG => Ok(ownership::signal(description).into()),
        F_SETSIG => {
            let signal = u8::try_from(argument).ok().filter(|&signal| signal <= SIGRTMAX).ok_or(Errno::EINVAL)?;
            ownership::set_signal(description, signal);
            Ok(0)
        }
        F_GETPIPE_SZ | F_SETPIPE_SZ => {
            let node: &dyn Any = &*description.node;
            let end = node.downcast_ref::<PipeEnd>().ok_or(Errno::EBADF)?;
            let wanted = number as usize;
            let set = || end.pipe().set_capacity(wanted).map_err(errors::errno);
            if operation == F_SETPIPE_SZ { set() } else { Ok(end.pipe().capacity()) }
        }
        _ => Err(Errno::EINVAL),
    }
}

/// F_SETFL; readiness of what cannot be told by signals is not asked for (O_ASYNC).
pub fn set_flags(description: &Description, descriptor: FileDescriptor, flags: OpenFlags) -> Result {
    let wanted = flags.contains(OpenFlags::O_ASYNC) && ownership::can_tell(description);
    if wanted != description.flags().contains(OpenFlags::O_ASYNC) {
        ownership::tell(description, descriptor.0, wanted)?;
    }
    description.set_flags(if wanted { flags } else { flags - OpenFlags::O_ASYNC });
    Ok(0)
}

/// F_SETOWN: of a negative number, the group of its opposite.
pub fn set_owner(description: &Description, who: i32) -> Result {
    let kind = if who < 0 { F_OWNER_PGRP } else { F_OWNER_PID };
    let id = who.checked_abs().ok_or(Errno::EINVAL)?;
    ownership::set(description, FileOwner { kind, id })?;
    Ok(0)
}

/// F_GETOWN.
pub fn owner(description: &Description) -> i32 {
    let FileOwner { kind, id } = ownership::owner(description);
    if kind == F_OWNER_PGRP { -id } else { id }
}

fn add_seals(description: &Description, seals: u32) -> Result {
    const KNOWN: u32 = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_FUTURE_WRITE | F_SEAL_EXEC;
    if description.check_writable().is_err() {
        return Err(Errno::EPERM);
    }
    if seals & !KNOWN != 0 {
        return Err(Errno::EINVAL);
    }
    files::done(description.node_as::<MemFd>()?.seal(seals))
}

fn duplicate(description: Arc<Description>, least: usize, close_on_exec: bool) -> Result {
    if least >= limits::descriptors() {
        return Err(Errno::EINVAL);
    }
    files::install_from(description, close_on_exec, least)
}
