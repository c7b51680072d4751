//! socket(2).

use vfs::socket::Socket;

use crate::{Call, Result};

/// Makes a socket.
pub fn socket(call: &mut Call) -> Result {
    let (form, flags) = crate::objects::sockets::form(call)?;
    crate::objects::sockets::install(
        Socket::new(form, fs::next_number(), crate::objects::sockets::who(), fs::now()),
        flags,
    )
}
