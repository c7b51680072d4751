//! What the machine is called.

use alloc::vec;

use identity::Capability;
use linux_abi::{Errno, UserAddress, UserInput, structures::SystemName};

use crate::{
    Result,
    objects::{
        host::{self, RELEASE, VERSION},
        user,
    },
};

/// uname(2): what system this is.
///
/// Writes the six strings.
pub fn uname(name: UserAddress) -> Result {
    let mut names = SystemName::default();
    let called = host::name();
    set(&mut names.sysname, "Linux");
    set(&mut names.nodename, &called);
    set(&mut names.release, RELEASE);
    set(&mut names.version, VERSION);
    set(&mut names.machine, "x86_64");
    set(&mut names.domainname, "(none)");
    user::answer(name, &names)
}

fn set(field: &mut [u8; 65], text: &str) {
    let length = text.len().min(64);
    field[..length].copy_from_slice(&text.as_bytes()[..length]);
}

/// Longest name.
const MAX_NAME: usize = 64;

/// sethostname(2): names the machine.
///
/// EPERM without CAP_SYS_ADMIN.
pub fn sethostname(name: UserInput, length: usize) -> Result {
    if !crate::objects::process::may(Capability::SysAdmin) {
        return Err(Errno::EPERM);
    }
    if length > MAX_NAME {
        return Err(Errno::EINVAL);
    }
    let mut bytes = vec![0; length];
    user::copy_in(&mut bytes, name.into())?;
    host::set_name(crate::objects::text::lossy(&bytes));
    Ok(0)
}

/// setdomainname(2): names the NIS domain.
///
/// There is no such domain here.
pub fn setdomainname(_name: UserInput, _length: usize) -> Result {
    Err(Errno::EPERM)
}
