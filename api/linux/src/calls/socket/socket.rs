//! New sockets.

use linux_abi::UserAddress;
use unix_sockets::Socket;

use crate::{Result, objects::files};

/// socket(2): makes a socket.
pub fn socket(family: u32, kind: u32, protocol: i32) -> Result {
    let (form, flags) = crate::objects::sockets::form(family, kind, protocol)?;
    crate::objects::sockets::install(
        Socket::new(form, fs::next_number(), crate::objects::sockets::who(), fs::now()),
        flags,
    )
}

/// socketpair(2): makes two sockets that are joined, and writes their descriptors.
pub fn socketpair(family: u32, kind: u32, protocol: i32, pair: UserAddress) -> Result {
    let (form, flags) = crate::objects::sockets::form(family, kind, protocol)?;
    let numbers = [fs::next_number(), fs::next_number()];
    let [one, other] = Socket::pair(form, numbers, crate::objects::sockets::who(), fs::now());
    files::install_two(
        pair,
        || crate::objects::sockets::install(one, flags),
        || crate::objects::sockets::install(other, flags),
    )
}
