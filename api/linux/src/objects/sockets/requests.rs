//! Requests of ioctl(2) that sockets answer: socket(7), tcp(7), netdevice(7). Those that would change an interface are
//! EPERM: interfaces are whittle's.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr};

use contracts::{
    sockets,
    sockets_element::{Assigned, Interface, Medium, NAME},
};
use linux_abi::{Errno, UserAddress, constants as c};

use super::{
    links,
    socket::{Answer, Socket},
};
use crate::{Result, objects::user};

/// Bytes of a `struct ifreq`.
const REQUEST: usize = 40;
/// Where its content begins.
const CONTENT: usize = NAME;
/// Linux' `txqueuelen`.
const QUEUE: u32 = 1000;

/// Answers a request; ENOTTY if it is none of a socket's.
pub fn answer(socket: &dyn Socket, request: u32, argument: UserAddress) -> Result {
    match request {
        c::TIOCOUTQ | c::SIOCOUTQNSD => {
            user::answer_int(argument, socket.unsent(request == c::SIOCOUTQNSD).ok_or(Errno::ENOTTY)? as u32)
        }
        c::SIOCATMARK => user::answer_int(argument, socket.is_at_mark().ok_or(Errno::ENOTTY)?.into()),
        // Where there is no network, there are no interfaces.
        _ if !sockets::exist() => Err(Errno::ENOTTY),
        c::SIOCGIFCONF => list(argument),
        c::SIOCGIFNAME => name(argument),
        c::SIOCSIFFLAGS | c::SIOCSIFADDR | c::SIOCSIFNETMASK | c::SIOCSIFMTU => Err(Errno::EPERM),
        c::SIOCETHTOOL => Err(Errno::EOPNOTSUPP),
        _ => about(request, argument),
    }
}

/// Answers what is asked about an interface by its name.
fn about(request: u32, argument: UserAddress) -> Result {
    let mut bytes: [u8; REQUEST] = user::read_struct(argument)?;
    let name = bytes[..NAME].split(|&byte| byte == 0).next().unwrap_or_default();
    let interface = links::named(name);
    let content = content(request, interface.as_ref())?;
    bytes[CONTENT..CONTENT + content.len()].copy_from_slice(&content);
    user::answer(argument, &bytes)
}

fn content(request: u32, interface: Option<&Interface>) -> Answer<Vec<u8>> {
    let known = matches!(
        request,
        c::SIOCGIFFLAGS
            | c::SIOCGIFADDR
            | c::SIOCGIFDSTADDR
            | c::SIOCGIFBRDADDR
            | c::SIOCGIFNETMASK
            | c::SIOCGIFMETRIC
            | c::SIOCGIFMTU
            | c::SIOCGIFHWADDR
            | c::SIOCGIFINDEX
            | c::SIOCGIFTXQLEN
            | c::SIOCGIFMAP
    );
    let interface = if known { interface.ok_or(Errno::ENODEV)? } else { return Err(Errno::ENOTTY) };
    let word = |word: u32| Ok(word.to_ne_bytes().into());
    match request {
        c::SIOCGIFFLAGS => Ok((links::flags(interface) as u16).to_ne_bytes().into()),
        c::SIOCGIFMETRIC => word(0),
        c::SIOCGIFMTU => word(interface.mtu),
        c::SIOCGIFINDEX => word(interface.number),
        c::SIOCGIFTXQLEN => word(QUEUE),
        c::SIOCGIFMAP => Ok([0; 24].into()),
        c::SIOCGIFHWADDR => {
            Ok([&links::kind(interface).to_ne_bytes()[..], &links::hardware(interface), &[0; 8]].concat())
        }
        _ => {
            let own = first(interface.number).ok_or(Errno::EADDRNOTAVAIL)?;
            Ok(told(address(request, interface, &own)).into())
        }
    }
}

/// The first address of IPv4 that an interface has.
fn first(interface: u32) -> Option<Assigned> {
    sockets::addresses().into_iter().find(|own| own.interface == interface && own.address.is_ipv4())
}

/// The address that a request asks for.
fn address(request: u32, interface: &Interface, own: &Assigned) -> Ipv4Addr {
    let IpAddr::V4(address) = own.address else { return Ipv4Addr::UNSPECIFIED };
    let mask = u32::MAX.checked_shl(32 - u32::from(own.length)).unwrap_or(0);
    match request {
        c::SIOCGIFNETMASK => mask.into(),
        c::SIOCGIFBRDADDR if matches!(interface.medium, Medium::Ethernet(_)) => (u32::from(address) | !mask).into(),
        c::SIOCGIFBRDADDR => Ipv4Addr::UNSPECIFIED,
        _ => address,
    }
}

/// A `struct sockaddr_in` without a port.
fn told(address: Ipv4Addr) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..2].copy_from_slice(&(c::AF_INET as u16).to_ne_bytes());
    bytes[4..8].copy_from_slice(&address.octets());
    bytes
}

/// The name of the interface of a number.
fn name(argument: UserAddress) -> Result {
    let mut bytes: [u8; REQUEST] = user::read_struct(argument)?;
    let number = bytes[CONTENT..].first_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes));
    bytes[..NAME].copy_from_slice(&links::numbered(number).ok_or(Errno::ENODEV)?.name);
    user::answer(argument, &bytes)
}

/// All interfaces that have an address of IPv4, a `struct ifreq` for each address; without room how long they are.
fn list(argument: UserAddress) -> Result {
    let [room, pointer]: [u64; 2] = user::read_struct(argument)?;
    let interfaces = sockets::interfaces();
    let mut all = Vec::new();
    for own in sockets::addresses() {
        let interface = interfaces.iter().find(|interface| interface.number == own.interface);
        if let (IpAddr::V4(address), Some(interface)) = (own.address, interface) {
            all.extend_from_slice(&interface.name);
            all.extend_from_slice(&told(address));
            all.resize(all.len().next_multiple_of(REQUEST), 0);
        }
    }
    if pointer != 0 {
        let room = usize::try_from(room as u32 as i32).map_err(|_| Errno::EINVAL)?;
        all.truncate(room / REQUEST * REQUEST);
        user::copy_out(UserAddress(pointer as usize), &all)?;
    }
    user::answer_int(argument, all.len() as u32)
}
