//! Calls of descriptors of all kinds.

use std::collections::VecDeque;
use std::ffi::{c_int, c_long, c_uint, c_ulong, c_void};
use std::sync::{Arc, Mutex};

use libc::{off64_t, size_t};
use network_tests::bare::Machine;

use crate::errno::{Errno, returned};
use crate::machine::library::at_once;
use crate::machine::objects::Object;

/// Bytes that were not sent yet: tcp(7).
const SIOCOUTQNSD: c_ulong = 0x894b;

/// fcntl(2): the flags of a descriptor.
pub extern "C" fn fcntl(_: *mut c_void, descriptor: c_int, command: c_int, argument: c_long) -> c_int {
    returned(at_once(|state| {
        let socket = state.object(descriptor)?.socket()?;
        match command {
            libc::F_GETFL => Ok(libc::O_RDWR | if socket.nonblocking { libc::O_NONBLOCK } else { 0 }),
            libc::F_SETFL => {
                socket.nonblocking = argument as c_int & libc::O_NONBLOCK != 0;
                Ok(0)
            }
            _ => Err(Errno(libc::EINVAL)),
        }
    }))
}

/// ioctl(2): how many bytes wait (tcp(7)).
///
/// # Safety
/// `argument` is a place for a number.
pub unsafe extern "C" fn ioctl(_: *mut c_void, descriptor: c_int, request: c_ulong, argument: *mut c_int) -> c_int {
    let told = at_once(|state| {
        let handle = state.object(descriptor)?.socket()?.handle;
        let tcp = &state.machine.tcp;
        let info = tcp.info(handle)?;
        match request {
            libc::FIONREAD => Ok(info.readable),
            libc::TIOCOUTQ => Ok(info.queued),
            SIOCOUTQNSD => Ok(info.unsent),
            _ => Err(Errno(libc::ENOTTY)),
        }
    });
    returned(told.map(|count| {
        // SAFETY: the caller's promise.
        unsafe { argument.write(count as c_int) };
        0
    }))
}

/// close(2).
pub extern "C" fn close(_: *mut c_void, descriptor: c_int) -> c_int {
    returned(at_once(|state| {
        let Some(object) = state.objects.remove(&descriptor) else { return Err(Errno(libc::EBADF)) };
        for other in state.objects.values_mut() {
            if let Object::Epoll(set) = other {
                set.members.retain(|member| member.descriptor != descriptor);
            }
        }
        if let Object::Socket(socket) = object {
            let Machine { tcp, ip } = &mut state.machine;
            tcp.close(state.now, ip, socket.handle)?;
        }
        Ok(0)
    }))
}

/// pipe(2): one that takes all.
///
/// # Safety
/// `ends` has two places.
pub unsafe extern "C" fn pipe(_: *mut c_void, ends: *mut c_int) -> c_int {
    let inside = Arc::new(Mutex::new(VecDeque::new()));
    let [reading, writing] = [(); 2].map(|()| at_once(|state| state.add(Object::Pipe(Arc::clone(&inside)))));
    // SAFETY: the caller's promise.
    unsafe { ends.cast::<[c_int; 2]>().write([reading, writing]) };
    0
}

/// splice(2): from a socket into a pipe. It stops before an urgent byte, as a read does.
pub extern "C" fn splice(
    _: *mut c_void,
    from: c_int,
    _: *mut off64_t,
    to: c_int,
    _: *mut off64_t,
    count: size_t,
    _: c_uint,
) -> c_int {
    returned(at_once(|state| {
        let Object::Pipe(pipe) = state.object(to)? else { return Err(Errno(libc::EINVAL)) };
        let pipe = Arc::clone(pipe);
        let handle = state.object(from)?.socket()?.handle;
        let mut bytes = vec![0; count];
        let Machine { tcp, ip } = &mut state.machine;
        // Before an urgent byte it stops, and gives nothing: Linux' tcp_splice_read.
        let length = if tcp.at_mark(handle)? { 0 } else { tcp.read(state.now, ip, handle, &mut bytes)? };
        pipe.lock().expect("no thread panics with a pipe").extend(&bytes[..length]);
        Ok(length as c_int)
    }))
}
