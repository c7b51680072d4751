//! Who the process is: credentials(7), capabilities(7).

mod capabilities;
mod get;
mod set;

pub use capabilities::{capget, capset};
pub use get::{getegid, geteuid, getgid, getgroups, getresgid, getresuid, getuid};
pub use set::{setfsgid, setfsuid, setgid, setgroups, setregid, setresgid, setresuid, setreuid, setuid};

use linux_abi::Errno;

/// An id argument of which -1 means "leave it alone".
const fn wish(argument: u32) -> Option<u32> {
    if argument == u32::MAX { None } else { Some(argument) }
}

/// An id argument that must be one.
fn required(argument: u32) -> core::result::Result<u32, Errno> {
    wish(argument).ok_or(Errno::EINVAL)
}
