//! bind(2).

use linux_abi::{FileDescriptor, UserAddress};

use crate::{
    Result,
    objects::{
        files,
        sockets::{self, address::Address},
    },
};

/// Gives a socket an address.
pub fn bind(descriptor: FileDescriptor, address: UserAddress, length: usize) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    socket.bind(&Address::read(address, length)?)?;
    Ok(0)
}
