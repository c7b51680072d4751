//! socket(2).

use vfs::socket::Socket;

use crate::{Call, Result};

/// Makes a socket.
pub fn socket(call: &mut Call) -> Result {
    let (form, flags) = super::form(call)?;
    super::install(Socket::new(form, fs::next_number(), super::who(), fs::now()), flags)
}
