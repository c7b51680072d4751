//! Addresses: `struct sockaddr_nl`.

use linux_abi::{Errno, constants::AF_UNSPEC};

use super::{
    super::{address::Address, socket::Answer},
    FAMILY,
};

/// Bytes of the structure.
const LENGTH: usize = 12;

/// The number and the groups that an address names.
pub fn read(address: &Address) -> Answer<(u32, u32)> {
    let bytes = address.bytes().first_chunk::<LENGTH>().ok_or(Errno::EINVAL)?;
    let &[_, _, _, _, a, b, c, d, e, f, g, h] = bytes;
    if address.family() != Some(FAMILY) {
        return Err(Errno::EINVAL);
    }
    Ok((u32::from_ne_bytes([a, b, c, d]), u32::from_ne_bytes([e, f, g, h])))
}

/// EINVAL, ECONNREFUSED or EPERM if an address is not the kernel's: nobody else is there, and no group may be sent to.
pub fn to_kernel(address: &Address) -> Answer<()> {
    if address.family() == Some(AF_UNSPEC) {
        return Ok(());
    }
    match read(address)? {
        (0, 0) => Ok(()),
        (0, _) => Err(Errno::EPERM),
        _ => Err(Errno::ECONNREFUSED),
    }
}

/// An address.
pub fn told(port: u32, groups: u32) -> Address {
    let mut rest = [0; LENGTH - 2];
    rest[2..6].copy_from_slice(&port.to_ne_bytes());
    rest[6..].copy_from_slice(&groups.to_ne_bytes());
    Address::new(FAMILY, &rest)
}
