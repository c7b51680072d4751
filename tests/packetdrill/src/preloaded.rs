//! Calls that packetdrill makes of the C library. This file is loaded before it, so they come here.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicI64, Ordering};

use libc::{clock_t, off_t, size_t, socklen_t, ssize_t};

use crate::calls::{descriptors, sending, sockets};
use crate::machine::library::{FIRST_DESCRIPTOR, started};

/// getsockopt(2): packetdrill's `%{ }%` asks for `TCP_INFO` by it, also where a library is the stack.
///
/// # Safety
/// As of getsockopt(2).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getsockopt(
    descriptor: c_int,
    level: c_int,
    name: c_int,
    value: *mut c_void,
    length: *mut socklen_t,
) -> c_int {
    if started() && descriptor >= FIRST_DESCRIPTOR {
        // SAFETY: the caller's promise.
        return unsafe { sockets::getsockopt(std::ptr::null_mut(), descriptor, level, name, value, length) };
    }
    // SAFETY: the caller's promise; the kernel looks at the pointers itself.
    unsafe { libc::syscall(libc::SYS_getsockopt, descriptor, level, name, value, length) as c_int }
}

/// close(2): so packetdrill closes all descriptors at the end of a script.
#[unsafe(no_mangle)]
pub extern "C" fn close(descriptor: c_int) -> c_int {
    if started() && descriptor >= FIRST_DESCRIPTOR {
        return descriptors::close(std::ptr::null_mut(), descriptor);
    }
    // SAFETY: it takes no memory.
    unsafe { libc::syscall(libc::SYS_close, descriptor) as c_int }
}

/// times(2): packetdrill waits for ten ticks before each script, so that scripts begin in the middle of one. Our clock
/// has no ticks.
///
/// # Safety
/// `times` is not looked at.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn times(_times: *mut c_void) -> clock_t {
    static TICKS: AtomicI64 = AtomicI64::new(0);
    TICKS.fetch_add(1, Ordering::Relaxed)
}

/// mlockall(2): wants a privilege, and nothing here is a matter of real time.
#[unsafe(no_mangle)]
pub extern "C" fn mlockall(_flags: c_int) -> c_int {
    0
}

/// sendfile(2): packetdrill has it in no table.
///
/// # Safety
/// As of sendfile(2).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sendfile(to: c_int, from: c_int, offset: *mut off_t, count: size_t) -> ssize_t {
    if !started() || to < FIRST_DESCRIPTOR {
        // SAFETY: the caller's promise; the kernel looks at the pointers itself.
        return unsafe { libc::syscall(libc::SYS_sendfile, to, from, offset, count) as ssize_t };
    }
    let mut bytes = vec![0; count];
    // SAFETY: the buffer is ours, and the offset the caller's.
    let read = unsafe { libc::pread(from, bytes.as_mut_ptr().cast(), count, *offset) };
    if read <= 0 {
        return read;
    }
    // SAFETY: so many bytes were read.
    let sent = unsafe { sending::send(std::ptr::null_mut(), to, bytes.as_ptr().cast(), read as size_t, 0) };
    // SAFETY: the caller's promise.
    unsafe { *offset += sent.max(0) as off_t };
    sent
}
