//! Connections: offered, taken, made and ended.

use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    constants::{OpenFlags, SHUT_RD, SHUT_RDWR, SHUT_WR, SOCK_CLOEXEC, SOCK_NONBLOCK},
};
use vfs::Readiness;

use crate::{
    Result,
    objects::{
        files,
        sockets::{self, address::Address},
    },
};

/// listen(2): takes connections from now on.
pub fn listen(descriptor: FileDescriptor, backlog: i32) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    socket.listen(backlog.cast_unsigned() as usize)?;
    Ok(0)
}

/// accept(2): as accept4, without flags.
pub fn accept(descriptor: FileDescriptor, address: UserAddress, length: UserAddress) -> Result {
    take(descriptor, address, length, 0)
}

/// accept4(2): a descriptor for the connection that has waited longest.
pub fn accept4(descriptor: FileDescriptor, address: UserAddress, length: UserAddress, flags: u32) -> Result {
    if flags & !(SOCK_CLOEXEC | SOCK_NONBLOCK) != 0 {
        return Err(Errno::EINVAL);
    }
    take(descriptor, address, length, flags)
}

/// Waits for a connection, if need be, and gives it a descriptor.
fn take(descriptor: FileDescriptor, address: UserAddress, length: UserAddress, flags: u32) -> Result {
    let description = files::usable(descriptor)?;
    let socket = sockets::of(&description)?;
    let (waits, deadline) = description.patience(false);
    let mut end = None;
    description.until(waits, deadline, Readiness::may_read, &mut || {
        end = Some(socket.accept()?);
        Ok(0)
    })?;
    let end = end.ok_or(Errno::EAGAIN)?;
    if !address.is_null() {
        // A peer that has gone again has no name.
        let name = end.peer_name().unwrap_or_else(|_| Address::new(end.form().family, &[]));
        name.write(address, length)?;
    }
    sockets::install(end, OpenFlags::from_bits_retain(flags))
}

/// connect(2): joins a socket with another one, waiting for it if need be.
pub fn connect(descriptor: FileDescriptor, address: UserAddress, length: usize) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    socket.connect(description, &Address::read(address, length)?)
}

/// shutdown(2): ends receiving, sending, or both.
pub fn shutdown(descriptor: FileDescriptor, how: u32) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    if how > SHUT_RDWR {
        return Err(Errno::EINVAL);
    }
    socket.shut_down(how != SHUT_WR, how != SHUT_RD)?;
    Ok(0)
}
