//! What the machine is called.

use alloc::vec;

use identity::Capability;
use linux_abi::{Errno, structures::SystemName};

use crate::{
    Call, Result,
    objects::{
        host::{self, RELEASE, VERSION},
        user,
    },
};

/// uname(2): what system this is.
///
/// Writes the six strings.
pub fn uname(call: &mut Call) -> Result {
    let mut name = SystemName::default();
    let called = host::name();
    set(&mut name.sysname, "Linux");
    set(&mut name.nodename, &called);
    set(&mut name.release, RELEASE);
    set(&mut name.version, VERSION);
    set(&mut name.machine, "x86_64");
    set(&mut name.domainname, "(none)");
    user::answer(call.argument(0), &name)
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
pub fn sethostname(call: &mut Call) -> Result {
    if !crate::objects::process::may(Capability::SysAdmin) {
        return Err(Errno::EPERM);
    }
    let length = call.argument(1);
    if length > MAX_NAME {
        return Err(Errno::EINVAL);
    }
    let mut name = vec![0; length];
    user::copy_in(&mut name, call.argument(0))?;
    host::set_name(crate::objects::text::lossy(&name));
    Ok(0)
}

/// setdomainname(2): names the NIS domain.
///
/// There is no such domain here.
pub fn setdomainname(_: &mut Call) -> Result {
    Err(Errno::EPERM)
}
