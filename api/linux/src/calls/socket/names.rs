//! Names of sockets.

use linux_abi::{FileDescriptor, UserAddress};

use crate::{
    Result,
    objects::{
        errors,
        sockets::{self, address},
    },
};

/// getsockname(2): a socket's own name.
pub fn getsockname(descriptor: FileDescriptor, address: UserAddress, length: UserAddress) -> Result {
    let description = &crate::objects::files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    address::write(address, length, socket.name().as_ref())
}

/// getpeername(2): the name of the socket that this one is joined with.
pub fn getpeername(descriptor: FileDescriptor, address: UserAddress, length: UserAddress) -> Result {
    let description = &crate::objects::files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    let name = socket.peer_name().map_err(errors::errno)?;
    address::write(address, length, name.as_ref())
}
