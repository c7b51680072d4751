//! Addresses of sockets in C's structures.

use std::net::{Ipv6Addr, SocketAddr};

use libc::{AF_INET, AF_INET6, sockaddr, sockaddr_in, sockaddr_in6, socklen_t};

use crate::errno::Errno;

/// Reads an address. IPv4 in IPv6's clothes stays so.
///
/// # Safety
/// `address` has `length` bytes.
pub unsafe fn read(address: *const sockaddr, length: socklen_t) -> Result<SocketAddr, Errno> {
    if address.is_null() {
        return Err(Errno(libc::EFAULT));
    }
    // SAFETY: the caller's promise; the family is in the first bytes of each.
    let family = i32::from(unsafe { (*address).sa_family });
    match family {
        AF_INET if length as usize >= size_of::<sockaddr_in>() => {
            // SAFETY: the length was looked at.
            let address = unsafe { address.cast::<sockaddr_in>().read_unaligned() };
            Ok((address.sin_addr.s_addr.to_ne_bytes(), u16::from_be(address.sin_port)).into())
        }
        AF_INET6 if length as usize >= size_of::<sockaddr_in6>() => {
            // SAFETY: the length was looked at.
            let address = unsafe { address.cast::<sockaddr_in6>().read_unaligned() };
            Ok((Ipv6Addr::from(address.sin6_addr.s6_addr), u16::from_be(address.sin6_port)).into())
        }
        AF_INET | AF_INET6 => Err(Errno(libc::EINVAL)),
        _ => Err(Errno(libc::EAFNOSUPPORT)),
    }
}

/// Writes an address as a socket of its family sees it, as much as there is room for, and its whole length.
///
/// # Safety
/// `to` has `*length` bytes, or is null.
pub unsafe fn write(address: SocketAddr, is_v6: bool, to: *mut sockaddr, length: *mut socklen_t) {
    if to.is_null() || length.is_null() {
        return;
    }
    let bytes = bytes(address, is_v6);
    // SAFETY: the caller's promise.
    unsafe {
        let room = (*length as usize).min(bytes.len());
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast(), room);
        *length = bytes.len() as socklen_t;
    }
}

fn bytes(address: SocketAddr, is_v6: bool) -> Vec<u8> {
    let port = address.port().to_be_bytes();
    match address {
        SocketAddr::V4(address) if !is_v6 => {
            [&(AF_INET as u16).to_ne_bytes()[..], &port, &address.ip().octets(), &[0; 8]].concat()
        }
        _ => {
            let ip = match address {
                SocketAddr::V4(address) => address.ip().to_ipv6_mapped(),
                SocketAddr::V6(address) => *address.ip(),
            };
            [&(AF_INET6 as u16).to_ne_bytes()[..], &port, &[0; 4], &ip.octets(), &[0; 4]].concat()
        }
    }
}
