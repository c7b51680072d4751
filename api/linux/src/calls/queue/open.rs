//! Message queues: opened and removed by name.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

use identity::Capability;
use ipc::post::{Attributes, MOST};
use linux_abi::{
    Errno, UserAddress, UserPath,
    constants::{OpenFlags, RLIMIT_MSGQUEUE},
    structures::QueueAttributes,
};
use vfs::{Credentials, Kind, Metadata, Owner, Rights};

use crate::{
    Result,
    objects::{
        descriptors::{description::Description, origin::Origin},
        errors, files,
        message_queues::{NAMES, Named, Opened, errno, name, table::fresh},
        process, user,
    },
};

/// mq_open(3): opens a queue, or makes it.
///
/// Answers its descriptor, which execve(2) closes.
pub fn mq_open(name: UserPath, flags: OpenFlags, mode: u32, attributes: UserAddress) -> Result {
    let wanted: Option<QueueAttributes> = match flags.contains(OpenFlags::O_CREAT) {
        false => None,
        true => user::read_optional(attributes)?,
    };
    let name = self::name(name)?;
    let who = files::credentials();
    let found = NAMES.lock().get(&name).cloned();
    let queue = match found {
        Some(queue) => existing(queue, flags, &who)?,
        None if !flags.contains(OpenFlags::O_CREAT) => return Err(Errno::ENOENT),
        None => made(name.clone(), mode, wanted, &who)?,
    };
    let mut path = Vec::from(b"/");
    path.extend_from_slice(&name);
    let node = Opened::new(queue);
    let kept = flags & (OpenFlags::O_ACCMODE | OpenFlags::O_NONBLOCK);
    let description = Description::new(Arc::clone(&node) as _, node, kept, Origin::Named(Cow::Owned(path)));
    files::install(description, true)
}

/// One that is there, if the caller may have it so.
fn existing(queue: Arc<Named>, flags: OpenFlags, who: &Credentials) -> core::result::Result<Arc<Named>, Errno> {
    if flags.contains(OpenFlags::O_CREAT | OpenFlags::O_EXCL) {
        return Err(Errno::EEXIST);
    }
    let rights = match flags.access() {
        OpenFlags::O_RDONLY => Rights::READ,
        OpenFlags::O_WRONLY => Rights::WRITE,
        OpenFlags::O_RDWR => Rights::READ.and(Rights::WRITE),
        _ => return Err(Errno::EINVAL),
    };
    let metadata = *queue.metadata.lock();
    who.check(&metadata, rights).map_err(errors::errno)?;
    Ok(queue)
}

fn made(
    name: Vec<u8>,
    mode: u32,
    wanted: Option<QueueAttributes>,
    who: &Credentials,
) -> core::result::Result<Arc<Named>, Errno> {
    let passes = process::may(Capability::SysResource);
    if Named::count() >= MOST && !passes {
        return Err(Errno::ENOSPC);
    }
    let size = |number: i64| usize::try_from(number).map_err(|_| Errno::EINVAL);
    let attributes = match wanted {
        Some(wanted) => Attributes { most: size(wanted.mq_maxmsg)?, longest: size(wanted.mq_msgsize)? },
        None => Attributes::USUAL,
    };
    attributes.check(passes).map_err(errno)?;
    let limit = crate::process().limits.lock()[RLIMIT_MSGQUEUE as usize].rlim_cur;
    let mode = mode & 0o7777 & !process::location().umask;
    let metadata = fresh(mode, Owner { user: who.user, group: who.group });
    let queue = Named::new(attributes, metadata, limit).ok_or(Errno::EMFILE)?;
    // Another thread may have been faster; what is not used is dropped when nothing is locked.
    let kept = Arc::clone(NAMES.lock().entry(name).or_insert_with(|| Arc::clone(&queue)));
    Ok(kept)
}

/// mq_unlink(3): takes a queue's name away. It goes when nobody has it open.
///
/// EPERM for another's, as in a directory with the sticky bit.
pub fn mq_unlink(name: UserPath) -> Result {
    let name = self::name(name)?;
    let queue = NAMES.lock().get(&name).cloned().ok_or(Errno::ENOENT)?;
    let metadata = *queue.metadata.lock();
    let directory = Metadata::new(Kind::Directory, 0o1777);
    files::credentials().check_sticky(&directory, &metadata).map_err(errors::errno)?;
    let gone = NAMES.lock().remove(&name);
    gone.map(|_| 0).ok_or(Errno::ENOENT)
}
