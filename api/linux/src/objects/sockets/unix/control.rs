//! What goes along: open files and credentials.

use alloc::{sync::Arc, vec::Vec};
use core::any::Any;

use identity::Capability;
use linux_abi::{
    Errno, FileDescriptor,
    constants::{SCM_CREDENTIALS, SCM_MAX_FD, SCM_RIGHTS, SOL_SOCKET},
    structures::UserCredentials,
};
use unix_sockets::{Allowance, Parcel, Right, Who};
use vfs::Owner;
use zerocopy::{FromBytes, IntoBytes};

use super::super::{
    control::{self, Message, Writer},
    socket::Answer,
};
use crate::objects::{descriptors::Description, files, process::limits};

/// What goes along, by control messages.
pub fn parcel(messages: &[u8]) -> Answer<Parcel> {
    let mut parcel = Parcel { who: super::who(), ..Parcel::default() };
    if messages.is_empty() {
        return Ok(parcel);
    }
    parcel.allowance = allowance();
    control::each(messages, &mut |message| {
        if message.level == SOL_SOCKET as i32 { add(&mut parcel, &message) } else { Ok(()) }
    })?;
    Ok(parcel)
}

/// Who may do everything may have any number under way.
fn allowance() -> Allowance {
    let identity = crate::objects::process::identity();
    let most = if identity.may(Capability::SysResource) || identity.may(Capability::SysAdmin) {
        usize::MAX
    } else {
        limits::descriptors()
    };
    Allowance { user: identity.user.real, most }
}

fn add(parcel: &mut Parcel, &Message { kind, content, .. }: &Message<'_>) -> Answer<()> {
    match kind {
        SCM_RIGHTS => {
            let numbers = content.as_chunks::<{ size_of::<i32>() }>().0;
            if parcel.rights.len() + numbers.len() > SCM_MAX_FD {
                return Err(Errno::EINVAL);
            }
            for &number in numbers {
                parcel.rights.push(files::description(FileDescriptor(i32::from_ne_bytes(number)))?);
            }
        }
        SCM_CREDENTIALS => parcel.who = claimed(content, parcel.who.process)?,
        _ => return Err(Errno::EINVAL),
    }
    Ok(())
}

/// Who a sender says it is: EPERM if it may not say so.
fn claimed(content: &[u8], process: u32) -> Answer<Who> {
    let UserCredentials { pid, uid, gid } = UserCredentials::read_from_bytes(content).map_err(|_| Errno::EINVAL)?;
    let identity = crate::objects::process::identity();
    let (user, group) = (identity.user, identity.group);
    let by_user = [user.real, user.effective, user.saved].contains(&uid) || identity.may(Capability::Setuid);
    let by_group = [group.real, group.effective, group.saved].contains(&gid) || identity.may(Capability::Setgid);
    let by_process = pid == process || identity.may(Capability::SysAdmin);
    if by_user && by_group && by_process {
        Ok(Who { process: pid, owner: Owner { user: uid, group: gid } })
    } else {
        Err(Errno::EPERM)
    }
}

/// Tells who has sent a message (SO_PASSCRED).
pub fn credentials(out: &mut Writer, who: Who) {
    let credentials = UserCredentials { pid: who.process, uid: who.owner.user, gid: who.owner.group };
    out.add(SCM_CREDENTIALS, credentials.as_bytes());
}

/// Gives open files descriptors, as many as there is room to tell.
pub fn rights(out: &mut Writer, rights: Vec<Right>) {
    if rights.is_empty() {
        return;
    }
    let room = out.left() / size_of::<i32>();
    if rights.len() > room {
        out.cut();
    }
    let mut numbers = Vec::new();
    for right in rights.into_iter().take(room) {
        let right: Arc<dyn Any + Send + Sync> = right;
        let Ok(description) = Arc::downcast::<Description>(right) else { continue };
        match files::install(description, out.closes_on_exec()) {
            Ok(number) => numbers.push(number as i32),
            Err(_) => out.cut(),
        }
    }
    if !numbers.is_empty() {
        out.add(SCM_RIGHTS, numbers.as_bytes());
    }
}
