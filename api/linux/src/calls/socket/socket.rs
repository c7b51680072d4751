//! New sockets.

use vfs::socket::Socket;

use crate::{Call, Result, objects::files};

/// socket(2): makes a socket.
pub fn socket(call: &mut Call) -> Result {
    let (form, flags) = crate::objects::sockets::form(call)?;
    crate::objects::sockets::install(
        Socket::new(form, fs::next_number(), crate::objects::sockets::who(), fs::now()),
        flags,
    )
}

/// socketpair(2): makes two sockets that are joined, and writes their descriptors.
pub fn socketpair(call: &mut Call) -> Result {
    let (form, flags) = crate::objects::sockets::form(call)?;
    let numbers = [fs::next_number(), fs::next_number()];
    let [one, other] = Socket::pair(form, numbers, crate::objects::sockets::who(), fs::now());
    files::install_two(
        call.argument(3),
        || crate::objects::sockets::install(one, flags),
        || crate::objects::sockets::install(other, flags),
    )
}
