//! Making sockets, connecting them, and their options.

use std::ffi::{c_int, c_void};

use libc::{sockaddr, socklen_t};
use network_tests::bare::Machine;
use tcp::{Family, Shutdown};

use super::{addresses, memory};
use crate::errno::{Errno, returned};
use crate::machine::library::{State, at_once, or_wait};
use crate::machine::objects::{Object, Socket};
use crate::options;

/// socket(2).
pub extern "C" fn socket(_: *mut c_void, domain: c_int, kind: c_int, protocol: c_int) -> c_int {
    returned(at_once(|state| {
        let family = match domain {
            libc::AF_INET => Family::V4,
            libc::AF_INET6 => Family::V6,
            _ => return Err(Errno(libc::EAFNOSUPPORT)),
        };
        let flags = libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
        if kind & !flags != libc::SOCK_STREAM || ![0, libc::IPPROTO_TCP].contains(&protocol) {
            return Err(Errno(libc::EPROTONOSUPPORT));
        }
        state.boot();
        let handle = state.machine.tcp.open(family)?;
        let socket = Socket::new(handle, kind & libc::SOCK_NONBLOCK != 0, family == Family::V6);
        Ok(state.add(Object::Socket(socket)))
    }))
}

/// bind(2).
///
/// # Safety
/// `address` has `length` bytes.
pub unsafe extern "C" fn bind(_: *mut c_void, descriptor: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    // SAFETY: the caller's promise.
    let address = unsafe { addresses::read(address, length) };
    returned(at_once(|state| {
        let (address, handle) = (address?, state.object(descriptor)?.socket()?.handle);
        let Machine { tcp, ip } = &mut state.machine;
        if !address.ip().is_unspecified() && !ip.has(address.ip().to_canonical()) {
            ip.add(address.ip().to_canonical());
        }
        Ok(tcp.bind(ip, handle, address).map(|()| 0)?)
    }))
}

/// listen(2).
pub extern "C" fn listen(_: *mut c_void, descriptor: c_int, backlog: c_int) -> c_int {
    returned(at_once(|state| {
        let handle = state.object(descriptor)?.socket()?.handle;
        Ok(state.machine.tcp.listen(handle, backlog.max(0) as u32).map(|()| 0)?)
    }))
}

/// accept(2).
///
/// # Safety
/// `address` has `*length` bytes, or is null.
pub unsafe extern "C" fn accept(
    _: *mut c_void,
    descriptor: c_int,
    address: *mut sockaddr,
    length: *mut socklen_t,
) -> c_int {
    let waits = waits(descriptor);
    returned(or_wait(waits, |state| {
        let listener = state.object(descriptor)?.socket()?.clone();
        let (handle, peer) = state.machine.tcp.accept(listener.handle)?;
        // SAFETY: the caller's promise.
        unsafe { addresses::write(peer, listener.is_v6, address, length) };
        let mut socket = Socket::new(handle, false, listener.is_v6);
        socket.lent.is_wanted = listener.lent.is_wanted;
        Ok(state.add(Object::Socket(socket)))
    }))
}

/// connect(2).
///
/// # Safety
/// `address` has `length` bytes.
pub unsafe extern "C" fn connect(
    _: *mut c_void,
    descriptor: c_int,
    address: *const sockaddr,
    length: socklen_t,
) -> c_int {
    // SAFETY: the caller's promise.
    let address = unsafe { addresses::read(address, length) };
    let (waits, mut begun) = (waits(descriptor), false);
    returned(or_wait(waits, |state| {
        let address = address?;
        let handle = state.object(descriptor)?.socket()?.handle;
        if begun {
            return connected(state, handle);
        }
        begun = true;
        let now = state.now;
        let Machine { tcp, ip } = &mut state.machine;
        tcp.connect(now, ip, handle, address)?;
        if tcp.info(handle)?.state == tcp::State::Closed {
            // It waits for the first write: fast open.
            return Ok(0);
        }
        if waits { Err(Errno(libc::EAGAIN)) } else { Err(Errno(libc::EINPROGRESS)) }
    }))
}

fn connected(state: &mut State, handle: tcp::Handle) -> Result<c_int, Errno> {
    let tcp = &mut state.machine.tcp;
    match tcp.take_error(handle)? {
        Some(error) => Err(error.into()),
        None if matches!(tcp.info(handle)?.state, tcp::State::SynSent | tcp::State::SynReceived) => {
            Err(Errno(libc::EAGAIN))
        }
        None => Ok(0),
    }
}

/// Whether calls of a descriptor wait.
pub fn waits(descriptor: c_int) -> bool {
    let mut state = crate::machine::library::lock();
    state.object(descriptor).and_then(Object::socket).is_ok_and(|socket| !socket.nonblocking)
}

/// shutdown(2).
pub extern "C" fn shutdown(_: *mut c_void, descriptor: c_int, how: c_int) -> c_int {
    returned(at_once(|state| {
        let handle = state.object(descriptor)?.socket()?.handle;
        let how = match how {
            libc::SHUT_RD => Shutdown::Read,
            libc::SHUT_WR => Shutdown::Write,
            libc::SHUT_RDWR => Shutdown::Both,
            _ => return Err(Errno(libc::EINVAL)),
        };
        let Machine { tcp, ip } = &mut state.machine;
        Ok(tcp.shutdown(state.now, ip, handle, how).map(|()| 0)?)
    }))
}

/// getsockopt(2).
///
/// # Safety
/// `value` has `*length` bytes.
pub unsafe extern "C" fn getsockopt(
    _: *mut c_void,
    descriptor: c_int,
    level: c_int,
    name: c_int,
    value: *mut c_void,
    length: *mut socklen_t,
) -> c_int {
    returned(at_once(|state| {
        let bytes = options::get(state, descriptor, level, name)?;
        // SAFETY: the caller's promise.
        unsafe {
            let room = (*length as usize).min(bytes.len());
            memory::target(value, room)?.copy_from_slice(&bytes[..room]);
            *length = room as socklen_t;
        }
        Ok(0)
    }))
}

/// setsockopt(2).
///
/// # Safety
/// `value` has `length` bytes.
pub unsafe extern "C" fn setsockopt(
    _: *mut c_void,
    descriptor: c_int,
    level: c_int,
    name: c_int,
    value: *const c_void,
    length: socklen_t,
) -> c_int {
    // SAFETY: the caller's promise.
    let bytes = unsafe { memory::source(value, length as usize) };
    returned(at_once(|state| options::set(state, descriptor, level, name, bytes?).map(|()| 0)))
}
