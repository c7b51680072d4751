//! New sockets.

use linux_abi::UserAddress;

use crate::{
    Result,
    objects::{files, sockets},
};

/// socket(2): makes a socket.
pub fn socket(family: u32, kind: u32, protocol: i32) -> Result {
    let (form, flags) = sockets::form(family, kind, protocol)?;
    sockets::install(sockets::make(form)?, flags)
}

/// socketpair(2): makes two sockets that are joined, and writes their descriptors.
pub fn socketpair(family: u32, kind: u32, protocol: i32, pair: UserAddress) -> Result {
    let (form, flags) = sockets::form(family, kind, protocol)?;
    let [one, other] = sockets::make_pair(form)?;
    files::install_two(pair, || sockets::install(one, flags), || sockets::install(other, flags))
}
