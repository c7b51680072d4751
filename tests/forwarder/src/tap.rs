//! TAP devices, opened by ioctl(2): Linux' Documentation/networking/tuntap.rst.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use libc::{c_int, c_ulong};

/// Requests (linux/if_tun.h).
const TUNSETIFF: libc::Ioctl = 0x4004_54ca;
const TUNSETOFFLOAD: libc::Ioctl = 0x4004_54d0;
/// Ethernet frames, with nothing before them but virtio's header.
const FLAGS: u16 = 0x0002 | 0x1000 | 0x4000;
/// What the host may hand over unfinished: checksums, TCP over IPv4 and IPv6 in one piece.
const OFFLOADS: c_ulong = 1 | 2 | 4;

/// `struct ifreq` of netdevice(7), as far as it matters here.
#[repr(C)]
struct Request {
    name: [u8; 16],
    flags: u16,
    rest: [u8; 22],
}

/// Makes the TAP device `name` in the caller's network namespace, or opens it. It is gone with the descriptor, unless
/// it was made to stay. Reads answer at once.
///
/// # Errors
/// That of the host: there is no /dev/net/tun, or the caller may not.
pub fn open(name: &str) -> io::Result<OwnedFd> {
    let file = File::options().read(true).write(true).open("/dev/net/tun")?;
    let mut request = Request { name: [0; 16], flags: FLAGS, rest: [0; 22] };
    // Another byte is left as the name's end.
    request.name.iter_mut().take(15).zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    let descriptor = file.as_raw_fd();
    // SAFETY: reads and writes the request, which has the length that the host copies.
    succeeded(unsafe { libc::ioctl(descriptor, TUNSETIFF, &raw mut request) })?;
    // SAFETY: takes a number.
    succeeded(unsafe { libc::ioctl(descriptor, TUNSETOFFLOAD, OFFLOADS) })?;
    rustix::io::ioctl_fionbio(&file, true)?;
    Ok(file.into())
}

fn succeeded(result: c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
