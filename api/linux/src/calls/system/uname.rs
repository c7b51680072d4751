//! uname(2): what system this is.

use linux_abi::structures::SystemName;

use crate::{
    Call, Result,
    objects::{
        machine::{RELEASE, VERSION},
        user,
    },
    process,
};

/// Writes the six strings.
pub fn uname(call: &mut Call) -> Result {
    let mut name = SystemName::default();
    let host = process().host_name.lock().clone();
    set(&mut name.sysname, "Linux");
    set(&mut name.nodename, &host);
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
