//! What descriptors are ready for, and sets of them: `poll(2)`, `epoll(7)`.

use std::ffi::c_int;

use tcp::{Handle, Readiness};

use crate::machine::library::State;
use crate::machine::objects::Object;

/// A set of `epoll`.
#[derive(Debug, Default)]
pub struct Epoll {
    /// Its members.
    pub members: Vec<Member>,
}

/// A descriptor in a set.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Which one.
    pub descriptor: c_int,
    /// The events that are asked for, and how.
    pub events: u32,
    /// The caller's word.
    pub data: u64,
    /// Something has happened that was not told yet.
    pub is_armed: bool,
    /// `EPOLLONESHOT` was told.
    pub is_spent: bool,
}

/// The events of a descriptor, in the bits that `poll` and `epoll` share.
pub fn events(state: &mut State, descriptor: c_int) -> u32 {
    let Some(Object::Socket(socket)) = state.objects.get(&descriptor) else { return libc::POLLNVAL as u32 };
    let ready = state.machine.tcp.readiness(socket.handle).unwrap_or_default();
    let pairs = [
        (Readiness::READABLE, libc::EPOLLIN | libc::EPOLLRDNORM),
        (Readiness::WRITABLE, libc::EPOLLOUT | libc::EPOLLWRNORM),
        (Readiness::URGENT, libc::EPOLLPRI),
        (Readiness::READ_CLOSED, libc::EPOLLRDHUP),
        (Readiness::HANGUP, libc::EPOLLHUP),
        (Readiness::ERROR, libc::EPOLLERR),
    ];
    let told = crate::machine::lent::is_told(state, descriptor);
    let bits = pairs.into_iter().filter(|(flag, _)| ready.contains(*flag)).fold(0, |all, (_, bits)| all | bits);
    bits as u32 | if told { libc::EPOLLERR as u32 } else { 0 }
}

/// Arms the members whose sockets have changed.
pub fn arm(state: &mut State) {
    let changed: Vec<Handle> = state.changed.drain(..).collect();
    let is_changed = |object: &Object| matches!(object, Object::Socket(socket) if changed.contains(&socket.handle));
    let descriptors: Vec<_> =
        state.objects.iter().filter(|(_, object)| is_changed(object)).map(|(descriptor, _)| *descriptor).collect();
    for object in state.objects.values_mut() {
        if let Object::Epoll(set) = object {
            let members = set.members.iter_mut().filter(|member| descriptors.contains(&member.descriptor));
            members.for_each(|member| member.is_armed = true);
        }
    }
}

/// Takes at most `most` events of a set, with the callers' words.
pub fn take(state: &mut State, set: c_int, most: usize) -> Vec<(u32, u64)> {
    let mut members = match state.objects.get_mut(&set) {
        Some(Object::Epoll(set)) => std::mem::take(&mut set.members),
        _ => return Vec::new(),
    };
    let mut told = Vec::new();
    for member in &mut members {
        let wanted = member.events | (libc::EPOLLERR | libc::EPOLLHUP) as u32;
        let ready = events(state, member.descriptor) & wanted;
        let edge = member.events & libc::EPOLLET as u32 != 0;
        if ready == 0 || member.is_spent || edge && !member.is_armed || told.len() == most {
            continue;
        }
        member.is_armed = false;
        member.is_spent = member.events & libc::EPOLLONESHOT as u32 != 0;
        told.push((ready, member.data));
    }
    if let Some(Object::Epoll(set)) = state.objects.get_mut(&set) {
        set.members = members;
    }
    told
}
