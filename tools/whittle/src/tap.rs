//! TAP devices of the host's, which are opened by ioctl(2) (Linux' Documentation/networking/tuntap.rst).
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use nix::libc::{self, c_int, c_ulong};
use rustix::net::{AddressFamily, SocketType, socket};

use crate::failure::{Doing, Failure, plain};

/// The device by which all TAP devices are opened.
const TUN: &str = "/dev/net/tun";
/// Requests (linux/if_tun.h).
const TUNSETIFF: libc::Ioctl = 0x4004_54ca;
const TUNSETOFFLOAD: libc::Ioctl = 0x4004_54d0;
const TUNSETVNETHDRSZ: libc::Ioctl = 0x4004_54d8;
/// That of netdevice(7).
const SIOCGIFMTU: libc::Ioctl = 0x8921;
/// Flags: Ethernet frames, nothing before them but virtio's header, several queues.
const IFF_TAP: u16 = 0x0002;
const IFF_MULTI_QUEUE: u16 = 0x0100;
const IFF_NO_PI: u16 = 0x1000;
const IFF_VNET_HDR: u16 = 0x4000;
/// What the host may hand over unfinished: checksums, TCP over IPv4 and IPv6 in one piece.
const OFFLOADS: c_ulong = 1 | 2 | 4;
/// Bytes of virtio's header, as the drivers have it.
static HEADER: c_int = 12;

/// `struct ifreq` of netdevice(7), as far as it matters here: flags, or the low half of an MTU, which has no more.
#[repr(C)]
struct Request {
    name: [u8; 16],
    flags: u16,
    rest: [u8; 22],
}

impl Request {
    fn new(name: &str) -> Self {
        let mut request = Self { name: [0; 16], flags: 0, rest: [0; 22] };
        // Another byte is left as the name's end.
        request.name.iter_mut().take(15).zip(name.bytes()).for_each(|(place, byte)| *place = byte);
        request
    }
}

/// Bytes of the longest packet of device `name` behind its Ethernet header. Asked of the network namespace that this
/// process is in, which is not always that of the files below /sys.
pub fn mtu(name: &str) -> Result<usize, Failure> {
    let socket = socket(AddressFamily::INET, SocketType::DGRAM, None).doing("make a socket")?;
    let mut request = Request::new(name);
    // SAFETY: reads and writes the request, which has the length that the host copies.
    let asked = succeeded(unsafe { libc::ioctl(socket.as_raw_fd(), SIOCGIFMTU, &raw mut request) });
    match asked {
        Ok(()) => Ok(usize::from(request.flags)),
        Err(error) if error.raw_os_error() == Some(libc::ENODEV) => Err(Failure::ours(format!(
            "there is no TAP device {name}: make one by ip tuntap add {name} mode tap user $USER"
        ))),
        Err(error) => Err(error).doing(format!("look at the TAP device {name}")),
    }
}

/// Opens device `name` with so many queues, or with one if it has no more.
pub fn open(name: &str, queues: usize) -> Result<Vec<OwnedFd>, Failure> {
    match open_queue(name, false) {
        Ok(queue) => Ok(vec![queue]),
        // It was made for several, so it is opened so even for one.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
            (0..queues).map(|_| open_queue(name, true).map_err(|error| explain(name, &error))).collect()
        }
        Err(error) => Err(explain(name, &error)),
    }
}

fn explain(name: &str, error: &io::Error) -> Failure {
    match error.raw_os_error() {
        Some(libc::EPERM | libc::EACCES) => Failure::ours(format!(
            "you have no right to use the TAP device {name}: whoever may has it made by ip tuntap add {name} mode tap user $USER"
        )),
        Some(libc::EBUSY) => Failure::ours(format!("the TAP device {name} is used by another already")),
        Some(libc::EINVAL) => Failure::ours(format!("{name} is no TAP device")),
        _ => Failure::ours(format!("cannot open the TAP device {name} by {TUN}: {}", plain(error))),
    }
}

fn open_queue(name: &str, many: bool) -> io::Result<OwnedFd> {
    let file = File::options().read(true).write(true).open(TUN)?;
    let mut request = Request::new(name);
    request.flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR | if many { IFF_MULTI_QUEUE } else { 0 };
    let descriptor = file.as_raw_fd();
    // SAFETY: reads and writes the request, which has the length that the host copies.
    succeeded(unsafe { libc::ioctl(descriptor, TUNSETIFF, &raw mut request) })?;
    // SAFETY: reads the length.
    succeeded(unsafe { libc::ioctl(descriptor, TUNSETVNETHDRSZ, &raw const HEADER) })?;
    // SAFETY: takes a number.
    succeeded(unsafe { libc::ioctl(descriptor, TUNSETOFFLOAD, OFFLOADS) })?;
    Ok(file.into())
}

fn succeeded(result: c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
