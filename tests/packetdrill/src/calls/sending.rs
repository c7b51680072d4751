//! Calls that send.

use std::ffi::{c_int, c_void};
use std::net::SocketAddr;

use libc::{iovec, msghdr, size_t, sockaddr, socklen_t, ssize_t};
use network_tests::bare::Machine;
use packets::Head;
use tcp::{Readiness, WriteFlags};

use super::sockets::waits;
use super::{addresses, memory};
use crate::errno::{Errno, returned};
use crate::machine::lent;
use crate::machine::library::{at_once, or_wait};

/// write(2).
///
/// # Safety
/// `from` has `count` bytes.
pub unsafe extern "C" fn write(user: *mut c_void, descriptor: c_int, from: *const c_void, count: size_t) -> ssize_t {
    // SAFETY: the caller's promise.
    unsafe { send(user, descriptor, from, count, 0) }
}

/// writev(2).
///
/// # Safety
/// The vector and its stretches are there.
pub unsafe extern "C" fn writev(_: *mut c_void, descriptor: c_int, vector: *const iovec, count: c_int) -> ssize_t {
    // SAFETY: the caller's promise.
    returned(unsafe { memory::gather(vector, count) }.and_then(|bytes| send_all(descriptor, &bytes, 0)))
}

/// send(2).
///
/// # Safety
/// `from` has `count` bytes.
pub unsafe extern "C" fn send(
    _: *mut c_void,
    descriptor: c_int,
    from: *const c_void,
    count: size_t,
    flags: c_int,
) -> ssize_t {
    // SAFETY: the caller's promise.
    returned(unsafe { memory::source(from, count) }.and_then(|bytes| send_all(descriptor, bytes, flags)))
}

/// sendto(2): TCP does not look at the address, unless it connects by it (`MSG_FASTOPEN`).
///
/// # Safety
/// `from` has `count` bytes, and `address` `length`.
pub unsafe extern "C" fn sendto(
    user: *mut c_void,
    descriptor: c_int,
    from: *const c_void,
    count: size_t,
    flags: c_int,
    address: *const sockaddr,
    length: socklen_t,
) -> ssize_t {
    if flags & libc::MSG_FASTOPEN != 0 {
        // SAFETY: the caller's promise.
        let (bytes, to) = unsafe { (memory::source(from, count), addresses::read(address, length)) };
        return returned(bytes.and_then(|bytes| connect_with(descriptor, to?, bytes, flags)));
    }
    // SAFETY: the caller's promise.
    unsafe { send(user, descriptor, from, count, flags) }
}

/// Connects, and sends with the SYN what can go there.
fn connect_with(descriptor: c_int, to: SocketAddr, bytes: &[u8], flags: c_int) -> Result<ssize_t, Errno> {
    at_once(|state| {
        let handle = state.object(descriptor)?.socket()?.handle;
        let Machine { tcp, ip } = &mut state.machine;
        let count = tcp.connect_with(state.now, ip, handle, to, bytes)?;
        lent::note(state, descriptor, count as u64, flags & libc::MSG_ZEROCOPY != 0);
        Ok(count as ssize_t)
    })
}

/// sendmsg(2).
///
/// # Safety
/// The message, its vector and its stretches are there.
pub unsafe extern "C" fn sendmsg(_: *mut c_void, descriptor: c_int, message: *const msghdr, flags: c_int) -> ssize_t {
    // SAFETY: the caller's promise.
    let (vector, count) = unsafe { ((*message).msg_iov, (*message).msg_iovlen as c_int) };
    if flags & libc::MSG_ZEROCOPY != 0 && count > 0 {
        // SAFETY: as above; each is looked at alone.
        let parts = (0..count as usize).map(|index| unsafe { memory::gather(vector.add(index), 1) });
        return returned(parts.collect::<Result<Vec<_>, _>>().and_then(|parts| lend_all(descriptor, &parts)));
    }
    // SAFETY: as above.
    let bytes = unsafe { memory::gather(vector, count) };
    returned(bytes.and_then(|bytes| send_all(descriptor, &bytes, flags)))
}

/// Lends all stretches, as far as there is room.
fn lend_all(descriptor: c_int, parts: &[Vec<u8>]) -> Result<ssize_t, Errno> {
    let all: usize = parts.iter().map(Vec::len).sum();
    let mut done = 0;
    let result = at_once(|state| {
        let handle = state.object(descriptor)?.socket()?.handle;
        let Machine { tcp, ip } = &mut state.machine;
        for part in parts {
            let more = if done + part.len() < all { WriteFlags::MORE } else { WriteFlags::empty() };
            let bytes = packets::Bytes::copy_from_slice(part);
            match tcp.write_bytes(state.now, ip, handle, bytes, WriteFlags::LENT | more) {
                Ok(count) => done += count,
                Err(error) if done == 0 => return Err(error.into()),
                Err(_) => break,
            }
        }
        Ok(done as ssize_t)
    });
    if let Ok(count @ 1..) = result {
        at_once(|state| lent::note(state, descriptor, count as u64, true));
    }
    result
}

/// Sends all of it where the descriptor's calls wait, and else as much as there is room for.
fn send_all(descriptor: c_int, bytes: &[u8], flags: c_int) -> Result<ssize_t, Errno> {
    let waits = waits(descriptor) && flags & libc::MSG_DONTWAIT == 0;
    let how =
        [(libc::MSG_OOB, WriteFlags::URGENT), (libc::MSG_MORE, WriteFlags::MORE), (libc::MSG_EOR, WriteFlags::END)];
    let how = how.into_iter().filter(|(bit, _)| flags & bit != 0).fold(WriteFlags::empty(), |all, (_, one)| all | one);
    let (mut done, mut has_waited) = (0, false);
    let result = or_wait(waits, |state| {
        let handle = state.object(descriptor)?.socket()?.handle;
        let Machine { tcp, ip } = &mut state.machine;
        // Who sleeps is woken when it is ready for writing, not by each byte of room.
        if has_waited && !tcp.readiness(handle)?.intersects(Readiness::WRITABLE | Readiness::ERROR) {
            return Err(Errno(libc::EAGAIN));
        }
        has_waited = true;
        while done < bytes.len() || bytes.is_empty() {
            match tcp.write(state.now, ip, handle, &mut Head::payload(&bytes[done..]), how) {
                Ok(count) => done += count,
                Err(tcp::Error::WouldBlock) if waits || done == 0 => return Err(Errno(libc::EAGAIN)),
                Err(_) if done > 0 => break,
                // Linux says so of a socket that was never connected: tcp_sendmsg.
                Err(tcp::Error::NotConnected) => return Err(Errno(libc::EPIPE)),
                Err(error) => return Err(error.into()),
            }
            if bytes.is_empty() {
                break;
            }
        }
        Ok(done as ssize_t)
    });
    if let Ok(count @ 1..) = result {
        at_once(|state| lent::note(state, descriptor, count as u64, flags & libc::MSG_ZEROCOPY != 0));
    }
    result
}
