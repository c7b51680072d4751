//! The device and the clock.

use std::ffi::{c_int, c_longlong, c_uint, c_void};
use std::time::Duration;

use libc::{size_t, timeval};
use network_tests::bare::Header;

use super::memory;
use crate::machine::library::{self, at_once};

/// How much packetdrill takes off before it sleeps, to spin for the rest (`MAX_SPIN_USECS`, run.c).
const SPIN: Duration = Duration::from_micros(20);

/// packetdrill is done.
pub extern "C" fn free(_: *mut c_void) {}

/// A packet comes from the network.
///
/// # Safety
/// `packet` has `count` bytes.
pub unsafe extern "C" fn netdev_send(_: *mut c_void, packet: *const c_void, count: size_t) -> c_int {
    // SAFETY: the caller's promise.
    let Ok(packet) = (unsafe { memory::source(packet, count) }) else { return -1 };
    at_once(|state| {
        // Whom the script speaks to is this machine, whatever its addresses are.
        if let Some(header) = Header::parse(packet)
            && !state.machine.ip.has(header.to)
        {
            state.machine.ip.add(header.to);
        }
        let gathered = state.gathered;
        state.machine.receive_gathered(state.now, packet.to_vec(), gathered);
    });
    0
}

/// The next packet that goes to the network.
///
/// # Safety
/// `to` has `*count` bytes.
pub unsafe extern "C" fn netdev_receive(
    _: *mut c_void,
    to: *mut c_void,
    count: *mut size_t,
    micros: *mut c_longlong,
) -> c_int {
    let (moment, packet) = library::next_packet();
    // SAFETY: the caller's promise.
    unsafe {
        let length = packet.len().min(*count);
        std::ptr::copy_nonoverlapping(packet.as_ptr(), to.cast(), length);
        *count = length;
        *micros = moment.as_micros() as c_longlong;
    }
    0
}

/// Time passes.
pub extern "C" fn usleep(_: *mut c_void, micros: c_uint) -> c_int {
    library::sleep(Duration::from_micros(micros.into()) + SPIN);
    0
}

/// The time.
///
/// # Safety
/// `to` is a place for it.
pub unsafe extern "C" fn gettimeofday(_: *mut c_void, to: *mut timeval, _: *mut c_void) -> c_int {
    let micros = library::look_at_clock().as_micros();
    let time = timeval { tv_sec: (micros / 1_000_000) as i64, tv_usec: (micros % 1_000_000) as i64 };
    // SAFETY: the caller's promise.
    unsafe { to.write(time) };
    0
}
