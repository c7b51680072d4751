//! Memory that `MSG_ZEROCOPY` lends, and the notices that give it back (Linux' Documentation/networking/msg_zerocopy).
//!
//! Our TCP copies what it is given here, and says so in each notice, as Linux does on its loopback.

use std::collections::VecDeque;
use std::ffi::c_int;

use crate::errno::Errno;
use crate::machine::library::State;
use crate::machine::objects::Object;

/// `SO_EE_ORIGIN_ZEROCOPY`.
pub const ORIGIN: u8 = 5;
/// `SO_EE_CODE_ZEROCOPY_COPIED`.
pub const COPIED: u8 = 1;

/// What a socket has lent.
#[derive(Clone, Debug, Default)]
pub struct Lent {
    /// `SO_ZEROCOPY`.
    pub is_wanted: bool,
    /// Bytes that were ever sent.
    sent: u64,
    /// The number of the next call.
    next: u32,
    /// Calls whose bytes are not acknowledged yet: their numbers, and where their bytes end.
    open: VecDeque<(u32, u64)>,
    /// Notices that nobody has read: the first and the last call of each.
    told: VecDeque<(u32, u32)>,
}

/// Notes that a call has sent so many bytes.
pub fn note(state: &mut State, descriptor: c_int, count: u64, lends: bool) {
    let Ok(socket) = state.object(descriptor).and_then(|object| object.socket()) else { return };
    let lent = &mut socket.lent;
    lent.sent += count;
    if lends && lent.is_wanted {
        lent.open.push_back((lent.next, lent.sent));
        lent.next += 1;
    }
}

/// Tells of the calls whose bytes are acknowledged; those behind one another share a notice. Says whether there were
/// any.
fn update(state: &mut State, descriptor: c_int) -> bool {
    let Some(Object::Socket(socket)) = state.objects.get_mut(&descriptor) else { return false };
    let acknowledged = state.machine.tcp.info(socket.handle).map_or(u64::MAX, |info| info.bytes_acknowledged);
    let (lent, mut any) = (&mut socket.lent, false);
    while let Some((number, _)) = lent.open.pop_front_if(|&mut (_, end)| end <= acknowledged) {
        match lent.told.back_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => lent.told.push_back((number, number)),
        }
        any = true;
    }
    any
}

/// Tells of all calls whose bytes are acknowledged; what is told changes what its socket is ready for.
pub fn update_all(state: &mut State) {
    let lends = |object: &Object| matches!(object, Object::Socket(socket) if !socket.lent.open.is_empty());
    let lending: Vec<_> = state.objects.iter().filter(|entry| lends(entry.1)).map(|entry| *entry.0).collect();
    for descriptor in lending {
        if update(state, descriptor)
            && let Ok(socket) = state.object(descriptor).and_then(|object| object.socket())
        {
            let handle = socket.handle;
            state.changed.push(handle);
        }
    }
}

/// Whether there is a notice.
pub fn is_told(state: &mut State, descriptor: c_int) -> bool {
    update(state, descriptor);
    state.object(descriptor).and_then(|object| object.socket()).is_ok_and(|socket| !socket.lent.told.is_empty())
}

/// The next notice.
pub fn next(state: &mut State, descriptor: c_int) -> Result<Option<(u32, u32)>, Errno> {
    update(state, descriptor);
    Ok(state.object(descriptor)?.socket()?.lent.told.pop_front())
}
