//! Waiting for several descriptors.

use std::ffi::{c_int, c_void};
use std::slice;
use std::time::Duration;

use libc::{epoll_event, nfds_t, pollfd};
use packets::Instant;

use crate::errno::{Errno, returned};
use crate::machine::library::{State, at_once, or_wait};
use crate::machine::objects::Object;
use crate::machine::readiness::{self, Epoll, Member};

/// poll(2).
///
/// # Safety
/// `entries` has `count` entries.
pub unsafe extern "C" fn poll(_: *mut c_void, entries: *mut pollfd, count: nfds_t, timeout: c_int) -> c_int {
    // SAFETY: the caller's promise.
    let entries = unsafe { slice::from_raw_parts_mut(entries, count as usize) };
    let mut end = None;
    returned(or_wait(timeout != 0, |state| {
        let always = libc::POLLERR | libc::POLLHUP | libc::POLLNVAL;
        for entry in &mut *entries {
            entry.revents = readiness::events(state, entry.fd) as i16 & (entry.events | always);
        }
        let ready = entries.iter().filter(|entry| entry.revents != 0).count();
        given(ready, is_over(state, &mut end, timeout))
    }))
}

/// epoll_create(2).
pub extern "C" fn epoll_create(_: *mut c_void, _size: c_int) -> c_int {
    at_once(|state| state.add(Object::Epoll(Epoll::default())))
}

/// epoll_ctl(2).
///
/// # Safety
/// `event` is one, or null.
pub unsafe extern "C" fn epoll_ctl(
    _: *mut c_void,
    set: c_int,
    operation: c_int,
    descriptor: c_int,
    event: *const epoll_event,
) -> c_int {
    // SAFETY: the caller's promise; the structure is packed.
    let event = (!event.is_null()).then(|| unsafe { event.read_unaligned() });
    returned(at_once(|state| {
        let Object::Epoll(Epoll { members }) = state.object(set)? else { return Err(Errno(libc::EINVAL)) };
        let at = members.iter().position(|member| member.descriptor == descriptor);
        let member = |event: epoll_event| {
            let (events, data) = (event.events, event.u64);
            Member { descriptor, events, data, is_armed: true, is_spent: false }
        };
        match (operation, at, event) {
            (libc::EPOLL_CTL_ADD, None, Some(event)) => members.push(member(event)),
            (libc::EPOLL_CTL_MOD, Some(at), Some(event)) => members[at] = member(event),
            (libc::EPOLL_CTL_DEL, Some(at), _) => drop(members.remove(at)),
            (libc::EPOLL_CTL_ADD, Some(_), _) => return Err(Errno(libc::EEXIST)),
            (libc::EPOLL_CTL_MOD | libc::EPOLL_CTL_DEL, None, _) => return Err(Errno(libc::ENOENT)),
            _ => return Err(Errno(libc::EINVAL)),
        }
        Ok(0)
    }))
}

/// epoll_wait(2).
///
/// # Safety
/// `to` has room for `most` events.
pub unsafe extern "C" fn epoll_wait(
    _: *mut c_void,
    set: c_int,
    to: *mut epoll_event,
    most: c_int,
    timeout: c_int,
) -> c_int {
    let mut end = None;
    returned(or_wait(timeout != 0, |state| {
        let told = readiness::take(state, set, most.max(0) as usize);
        for (index, (events, data)) in told.iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { to.add(index).write_unaligned(epoll_event { events: *events, u64: *data }) };
        }
        given(told.len(), is_over(state, &mut end, timeout))
    }))
}

/// Whether the time of a call is over, which began when it was asked first.
fn is_over(state: &State, end: &mut Option<Instant>, timeout: c_int) -> bool {
    let Ok(timeout) = u64::try_from(timeout) else { return false };
    state.now >= *end.get_or_insert(state.now + Duration::from_millis(timeout))
}

fn given(ready: usize, is_over: bool) -> Result<c_int, Errno> {
    if ready == 0 && !is_over { Err(Errno(libc::EAGAIN)) } else { Ok(ready as c_int) }
}
