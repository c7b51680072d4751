//! packetdrill's table of functions (`packetdrill.h`), and how it is filled.

use std::ffi::{CStr, c_char, c_int, c_long, c_longlong, c_uint, c_ulong, c_void};

use libc::{epoll_event, iovec, msghdr, nfds_t, off64_t, pollfd, size_t, sockaddr, socklen_t, ssize_t, timeval};

use crate::calls;

type User = *mut c_void;

/// The table, in packetdrill's order.
#[repr(C)]
pub struct Interface {
    pub userdata: User,
    pub free: extern "C" fn(User),
    pub socket: extern "C" fn(User, c_int, c_int, c_int) -> c_int,
    pub bind: unsafe extern "C" fn(User, c_int, *const sockaddr, socklen_t) -> c_int,
    pub listen: extern "C" fn(User, c_int, c_int) -> c_int,
    pub accept: unsafe extern "C" fn(User, c_int, *mut sockaddr, *mut socklen_t) -> c_int,
    pub connect: unsafe extern "C" fn(User, c_int, *const sockaddr, socklen_t) -> c_int,
    pub read: unsafe extern "C" fn(User, c_int, *mut c_void, size_t) -> ssize_t,
    pub readv: unsafe extern "C" fn(User, c_int, *const iovec, c_int) -> ssize_t,
    pub recv: unsafe extern "C" fn(User, c_int, *mut c_void, size_t, c_int) -> ssize_t,
    pub recvfrom:
        unsafe extern "C" fn(User, c_int, *mut c_void, size_t, c_int, *mut sockaddr, *mut socklen_t) -> ssize_t,
    pub recvmsg: unsafe extern "C" fn(User, c_int, *mut msghdr, c_int) -> ssize_t,
    pub write: unsafe extern "C" fn(User, c_int, *const c_void, size_t) -> ssize_t,
    pub writev: unsafe extern "C" fn(User, c_int, *const iovec, c_int) -> ssize_t,
    pub send: unsafe extern "C" fn(User, c_int, *const c_void, size_t, c_int) -> ssize_t,
    pub sendto: unsafe extern "C" fn(User, c_int, *const c_void, size_t, c_int, *const sockaddr, socklen_t) -> ssize_t,
    pub sendmsg: unsafe extern "C" fn(User, c_int, *const msghdr, c_int) -> ssize_t,
    /// Variadic in C: the third argument comes in the same register.
    pub fcntl: extern "C" fn(User, c_int, c_int, c_long) -> c_int,
    /// Variadic in C: the third argument comes in the same register.
    pub ioctl: unsafe extern "C" fn(User, c_int, c_ulong, *mut c_int) -> c_int,
    pub close: extern "C" fn(User, c_int) -> c_int,
    pub shutdown: extern "C" fn(User, c_int, c_int) -> c_int,
    pub getsockopt: unsafe extern "C" fn(User, c_int, c_int, c_int, *mut c_void, *mut socklen_t) -> c_int,
    pub setsockopt: unsafe extern "C" fn(User, c_int, c_int, c_int, *const c_void, socklen_t) -> c_int,
    pub poll: unsafe extern "C" fn(User, *mut pollfd, nfds_t, c_int) -> c_int,
    pub netdev_send: unsafe extern "C" fn(User, *const c_void, size_t) -> c_int,
    pub netdev_receive: unsafe extern "C" fn(User, *mut c_void, *mut size_t, *mut c_longlong) -> c_int,
    pub usleep: extern "C" fn(User, c_uint) -> c_int,
    pub gettimeofday: unsafe extern "C" fn(User, *mut timeval, *mut c_void) -> c_int,
    pub epoll_create: extern "C" fn(User, c_int) -> c_int,
    pub epoll_ctl: unsafe extern "C" fn(User, c_int, c_int, c_int, *const epoll_event) -> c_int,
    pub epoll_wait: unsafe extern "C" fn(User, c_int, *mut epoll_event, c_int, c_int) -> c_int,
    pub pipe: unsafe extern "C" fn(User, *mut c_int) -> c_int,
    pub splice: extern "C" fn(User, c_int, *mut off64_t, c_int, *mut off64_t, size_t, c_uint) -> c_int,
}

/// Fills packetdrill's table. The flags are this machine's addresses, with commas between, and
/// after a slash the segment size of packetdrill's device.
///
/// # Safety
/// `flags` is a text or null, `interface` packetdrill's table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn packetdrill_interface_init(flags: *const c_char, interface: *mut Interface) {
    let table = Interface {
        userdata: std::ptr::null_mut(),
        free: calls::time::free,
        socket: calls::sockets::socket,
        bind: calls::sockets::bind,
        listen: calls::sockets::listen,
        accept: calls::sockets::accept,
        connect: calls::sockets::connect,
        read: calls::receiving::read,
        readv: calls::receiving::readv,
        recv: calls::receiving::recv,
        recvfrom: calls::receiving::recvfrom,
        recvmsg: calls::receiving::recvmsg,
        write: calls::sending::write,
        writev: calls::sending::writev,
        send: calls::sending::send,
        sendto: calls::sending::sendto,
        sendmsg: calls::sending::sendmsg,
        fcntl: calls::descriptors::fcntl,
        ioctl: calls::descriptors::ioctl,
        close: calls::descriptors::close,
        shutdown: calls::sockets::shutdown,
        getsockopt: calls::sockets::getsockopt,
        setsockopt: calls::sockets::setsockopt,
        poll: calls::waiting::poll,
        netdev_send: calls::time::netdev_send,
        netdev_receive: calls::time::netdev_receive,
        usleep: calls::time::usleep,
        gettimeofday: calls::time::gettimeofday,
        epoll_create: calls::waiting::epoll_create,
        epoll_ctl: calls::waiting::epoll_ctl,
        epoll_wait: calls::waiting::epoll_wait,
        pipe: calls::descriptors::pipe,
        splice: calls::descriptors::splice,
    };
    // SAFETY: the caller's promise.
    let flags = if flags.is_null() { c"" } else { unsafe { CStr::from_ptr(flags) } };
    crate::machine::library::start(&flags.to_string_lossy());
    // SAFETY: the caller's promise.
    unsafe { interface.write(table) };
}
