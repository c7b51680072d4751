//! Addresses of sockets.

use linux_abi::{FileDescriptor, UserAddress};

use crate::{
    Result,
    objects::{files, sockets},
};

/// getsockname(2): a socket's own address.
pub fn getsockname(descriptor: FileDescriptor, address: UserAddress, length: UserAddress) -> Result {
    let description = &files::usable(descriptor)?;
    sockets::of(description)?.name()?.write(address, length)
}

/// getpeername(2): the address of the socket that this one is joined with.
pub fn getpeername(descriptor: FileDescriptor, address: UserAddress, length: UserAddress) -> Result {
    let description = &files::usable(descriptor)?;
    sockets::of(description)?.peer_name()?.write(address, length)
}
