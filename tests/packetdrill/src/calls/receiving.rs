//! Calls that receive.

use std::ffi::{c_int, c_void};

use libc::{iovec, msghdr, size_t, sockaddr, socklen_t, ssize_t};
use network_tests::bare::Machine;

use super::memory;
use super::sockets::waits;
use crate::errno::{Errno, returned};
use crate::machine::library::{State, at_once, or_wait};
use crate::machine::{lent, stamps};

/// The kind of the message that tells what is left to read: `TCP_CM_INQ`, which is `TCP_INQ` (tcp(7)).
const LEFT: c_int = 36;

/// read(2).
///
/// # Safety
/// `to` has `count` bytes.
pub unsafe extern "C" fn read(user: *mut c_void, descriptor: c_int, to: *mut c_void, count: size_t) -> ssize_t {
    // SAFETY: the caller's promise.
    unsafe { recv(user, descriptor, to, count, 0) }
}

/// readv(2).
///
/// # Safety
/// The vector and its stretches are there.
pub unsafe extern "C" fn readv(_: *mut c_void, descriptor: c_int, vector: *const iovec, count: c_int) -> ssize_t {
    // SAFETY: the caller's promise.
    returned(unsafe { receive_to(descriptor, vector, count, 0) })
}

/// recv(2).
///
/// # Safety
/// `to` has `count` bytes.
pub unsafe extern "C" fn recv(
    _: *mut c_void,
    descriptor: c_int,
    to: *mut c_void,
    count: size_t,
    flags: c_int,
) -> ssize_t {
    let vector = iovec { iov_base: to, iov_len: count };
    // SAFETY: the caller's promise.
    returned(unsafe { receive_to(descriptor, &vector, 1, flags) })
}

/// recvfrom(2): TCP gives no address.
///
/// # Safety
/// `to` has `count` bytes.
pub unsafe extern "C" fn recvfrom(
    user: *mut c_void,
    descriptor: c_int,
    to: *mut c_void,
    count: size_t,
    flags: c_int,
    _: *mut sockaddr,
    _: *mut socklen_t,
) -> ssize_t {
    // SAFETY: the caller's promise.
    unsafe { recv(user, descriptor, to, count, flags) }
}

/// recvmsg(2), with what is left to read where the socket tells it, and a queue of errors for `MSG_ZEROCOPY`.
///
/// # Safety
/// The message, its vector, its stretches and its control buffer are there.
pub unsafe extern "C" fn recvmsg(_: *mut c_void, descriptor: c_int, message: *mut msghdr, flags: c_int) -> ssize_t {
    // SAFETY: the caller's promise.
    let message = unsafe { &mut *message };
    if flags & libc::MSG_ERRQUEUE != 0 {
        // SAFETY: as above.
        return returned(unsafe { receive_error(descriptor, message) });
    }
    // SAFETY: as above.
    let result = unsafe { receive_to(descriptor, message.msg_iov, message.msg_iovlen as c_int, flags) };
    message.msg_flags = 0;
    // SAFETY: as above.
    unsafe { put_left(message, left(descriptor).filter(|_| result.is_ok())) };
    returned(result)
}

/// What is left to read, with one more for the end of the stream, if the socket tells it.
fn left(descriptor: c_int) -> Option<c_int> {
    let mut state = crate::machine::library::lock();
    let socket = state.object(descriptor).ok()?.socket().ok().filter(|socket| socket.tells_left)?.clone();
    let tcp = &mut state.machine.tcp;
    let ended = tcp.readiness(socket.handle).ok()?.contains(tcp::Readiness::READ_CLOSED);
    let count = tcp.info(socket.handle).ok()?.readable as c_int;
    Some(if ended && count == 0 { 1 } else { count })
}

/// # Safety
/// The message's control buffer is there.
unsafe fn put_left(message: &mut msghdr, left: Option<c_int>) {
    match left {
        // SAFETY: the caller's promise.
        Some(left) => unsafe { put_control(message, libc::SOL_TCP, LEFT, &left.to_ne_bytes()) },
        None => message.msg_controllen = 0,
    }
}

/// The next notice of the queue of errors: what `MSG_ZEROCOPY` has lent is given back.
///
/// # Safety
/// The message's control buffer is there.
unsafe fn receive_error(descriptor: c_int, message: &mut msghdr) -> Result<ssize_t, Errno> {
    let (stamp, words, is_v6) = at_once(|state| next_error(state, descriptor))?;
    let (level, kind) = if is_v6 { (libc::SOL_IPV6, libc::IPV6_RECVERR) } else { (libc::SOL_IP, libc::IP_RECVERR) };
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    // Behind it is the address of who made the error: nobody.
    bytes.resize(bytes.len() + if is_v6 { size_of::<libc::sockaddr_in6>() } else { size_of::<libc::sockaddr_in>() }, 0);
    // SAFETY: the caller's promise.
    unsafe {
        match &stamp {
            Some(stamp) => put_controls(message, &[(libc::SOL_SOCKET, stamps::KIND, stamp), (level, kind, &bytes)]),
            None => put_control(message, level, kind, &bytes),
        }
    };
    // The packet that a stamp is about does not come back: it is cut off.
    message.msg_flags = libc::MSG_ERRQUEUE | if stamp.is_some() { libc::MSG_TRUNC } else { 0 };
    Ok(0)
}

/// The bytes of a moment's message, if it is about one; `struct sock_extended_err`; whether addresses are of IPv6.
type Notice = (Option<Vec<u8>>, [u32; 4], bool);

/// The next message of the queue of errors: a moment, or notices of lent memory.
fn next_error(state: &mut State, descriptor: c_int) -> Result<Notice, Errno> {
    let socket = state.object(descriptor)?.socket()?;
    let (handle, asked, is_v6) = (socket.handle, socket.stamps, socket.is_v6);
    if let Some(stamp) = state.machine.tcp.take_stamp(handle)? {
        let (times, error) = stamps::messages(&stamp, asked);
        return Ok((Some(times), error, is_v6));
    }
    let (first, last) = lent::next(state, descriptor)?.ok_or(Errno(libc::EAGAIN))?;
    Ok((None, [0, u32::from_ne_bytes([lent::ORIGIN, 0, lent::COPIED, 0]), first, last], is_v6))
}

/// Puts several messages into the control buffer, as far as there is room.
///
/// # Safety
/// The message's control buffer is there.
unsafe fn put_controls(message: &mut msghdr, all: &[(c_int, c_int, &Vec<u8>)]) {
    let (whole, place) = (message.msg_controllen, message.msg_control);
    let mut used = 0;
    for (level, kind, bytes) in all {
        message.msg_controllen = whole - used;
        // SAFETY: what is used lies in the buffer, by the caller's promise.
        unsafe {
            message.msg_control = place.byte_add(used);
            put_control(message, *level, *kind, bytes);
        }
        used += message.msg_controllen;
    }
    (message.msg_control, message.msg_controllen) = (place, used);
}

/// Puts one message into the control buffer, if there is room.
///
/// # Safety
/// The message's control buffer is there.
unsafe fn put_control(message: &mut msghdr, level: c_int, kind: c_int, bytes: &[u8]) {
    let room = message.msg_controllen;
    message.msg_controllen = 0;
    // SAFETY: these compute lengths alone.
    let (whole, length) =
        unsafe { (libc::CMSG_SPACE(bytes.len() as u32) as usize, libc::CMSG_LEN(bytes.len() as u32) as usize) };
    if room < whole || message.msg_control.is_null() {
        return;
    }
    let header: *mut libc::cmsghdr = message.msg_control.cast();
    // SAFETY: there is room for a header and the bytes.
    unsafe {
        (*header).cmsg_len = length;
        (*header).cmsg_level = level;
        (*header).cmsg_type = kind;
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), libc::CMSG_DATA(header), bytes.len());
    }
    message.msg_controllen = whole;
}

/// # Safety
/// The vector and its stretches are there.
unsafe fn receive_to(descriptor: c_int, vector: *const iovec, count: c_int, flags: c_int) -> Result<ssize_t, Errno> {
    let waits = waits(descriptor) && flags & libc::MSG_DONTWAIT == 0;
    // SAFETY: the caller's promise.
    let (room, is_there) = unsafe { (memory::room(vector, count), memory::is_there(vector, count)) };
    if !is_there {
        return Err(Errno(libc::EFAULT));
    }
    let mut bytes = vec![0; room];
    let length = or_wait(waits, |state| receive(state, descriptor, &mut bytes, flags))?;
    // SAFETY: as above.
    unsafe { memory::scatter(vector, count, &bytes[..length]) }?;
    Ok(length as ssize_t)
}

fn receive(state: &mut State, descriptor: c_int, to: &mut [u8], flags: c_int) -> Result<usize, Errno> {
    let handle = state.object(descriptor)?.socket()?.handle;
    let Machine { tcp, ip } = &mut state.machine;
    if flags & libc::MSG_OOB != 0 {
        let byte = tcp.read_urgent(handle, flags & libc::MSG_PEEK != 0)?;
        if let Some(place) = to.first_mut() {
            *place = byte;
        }
        return Ok(to.len().min(1));
    }
    if flags & libc::MSG_PEEK != 0 {
        return Ok(tcp.peek(handle, 0, to)?);
    }
    Ok(tcp.read(state.now, ip, handle, to)?)
}
