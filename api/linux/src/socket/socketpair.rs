//! socketpair(2).

use vfs::socket::Socket;

use crate::{Call, Result, files};

/// Makes two sockets that are joined, and writes their descriptors.
pub fn socketpair(call: &mut Call) -> Result {
    let (form, flags) = super::form(call)?;
    let numbers = [fs::next_number(), fs::next_number()];
    let [one, other] = Socket::pair(form, numbers, super::who(), fs::now());
    files::install_two(call.argument(3), || super::install(one, flags), || super::install(other, flags))
}
