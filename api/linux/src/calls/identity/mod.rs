//! Who the process is: credentials(7), capabilities(7).

pub mod capget;
pub mod capset;
pub mod getegid;
pub mod geteuid;
pub mod getgid;
pub mod getgroups;
pub mod getresgid;
pub mod getresuid;
pub mod getuid;
pub mod setfsgid;
pub mod setfsuid;
pub mod setgid;
pub mod setgroups;
pub mod setregid;
pub mod setresgid;
pub mod setresuid;
pub mod setreuid;
pub mod setuid;

use linux_abi::Errno;

/// An id argument of which -1 means "leave it alone".
const fn wish(argument: u32) -> Option<u32> {
    if argument == u32::MAX { None } else { Some(argument) }
}

/// An id argument that must be one.
fn required(argument: u32) -> core::result::Result<u32, Errno> {
    wish(argument).ok_or(Errno::EINVAL)
}
