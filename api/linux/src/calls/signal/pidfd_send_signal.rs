//! pidfd_send_signal(2): sends a signal to a process by its descriptor.

use alloc::sync::Arc;

use linux_abi::{Errno, FileDescriptor, UserAddress, constants::SI_USER, structures::SignalInformation};
use vfs::Kind;

use super::queue::information;
use crate::{
    Process, Result,
    objects::{
        descriptors::Description,
        events, files,
        process::{self, table},
        signals::{arguments, may_send, send_to_process},
    },
    process,
};

/// With what the sender tells, or what kill(2) would if that is NULL.
pub fn pidfd_send_signal(descriptor: FileDescriptor, signal: i32, information: UserAddress, flags: u32) -> Result {
    if flags != 0 {
        return Err(Errno::EINVAL);
    }
    let description = files::usable(descriptor)?;
    let target = target(&description)?;
    if !may_send(&target, arguments::signal_or_none(signal)?) {
        return Err(Errno::EPERM);
    }
    let told = if information.is_null() {
        let user = process::identity().user.real;
        let sent = |signal| SignalInformation::sent(signal, SI_USER, process().id, user, 0);
        arguments::signal_or_none(signal)?.map(sent)
    } else {
        told(signal, information)?
    };
    if let Some(told) = told {
        // As by kill(2): one that finds no room waits already.
        let _ = send_to_process(&target, told);
    }
    Ok(0)
}

/// The process that an open file means; its directory in `/proc` means it as well.
fn target(description: &Description) -> core::result::Result<Arc<Process>, Errno> {
    if let Ok(whole) = description.node_as::<events::PidFd>() {
        return whole.process().cloned().ok_or(Errno::ESRCH);
    }
    if description.kind != Kind::Directory {
        return Err(Errno::EBADF);
    }
    let path = description.path();
    let number = path.strip_prefix(b"/proc/").and_then(|number| core::str::from_utf8(number).ok()?.parse().ok());
    number.and_then(table::find).ok_or(Errno::EBADF)
}

/// What the sender tells; EINVAL if it is about another signal.
fn told(number: i32, address: UserAddress) -> core::result::Result<Option<SignalInformation>, Errno> {
    let given: SignalInformation = crate::objects::user::read_struct(address)?;
    if given.si_signo != number {
        return Err(Errno::EINVAL);
    }
    self::information(number, address)
}
