//! What sockets of each kind do for the contract.

use netstack::{Parts, Stack, udp};
use packets::{Instant, ipv4::protocol};
use sockets::{Error, Family, Form, Membership, Readiness, Setting, Socket};

use crate::{
    errors::{of_datagrams, of_stream},
    settings,
    state::{State, is_there, now},
    stream,
    table::Kind,
};

/// A new socket.
pub fn open<P: Parts>(state: &mut State<P>, form: Form) -> Result<Kind, Error> {
    match form {
        Form::Stream(family) if P::TCP && has::<P>(family) => {
            let family = if family == Family::V4 { tcp::Family::V4 } else { tcp::Family::V6 };
            state.stack.tcp.open(family).map(Kind::Stream).map_err(of_stream)
        }
        Form::Datagrams(family) | Form::LiteDatagrams(family) if P::UDP && has::<P>(family) => {
            let family = if family == Family::V4 { udp::Family::V4 } else { udp::Family::V6 };
            let udp = &mut state.stack.udp;
            let opened = if matches!(form, Form::LiteDatagrams(_)) { udp.open_lite(family) } else { udp.open(family) };
            opened.map(Kind::Datagrams).map_err(of_datagrams)
        }
        Form::Echoes(family) if P::RAW && has::<P>(family) => {
            state.stack.raw.open_ping(family == Family::V4).map(Kind::Raw).map_err(of_datagrams)
        }
        Form::Raw(family, protocol) if P::RAW && has::<P>(family) => {
            let opened = state.stack.raw.open(family == Family::V4, protocol).map(Kind::Raw).map_err(of_datagrams);
            note_watchers(&mut state.stack);
            opened
        }
        form if !has::<P>(form.family()) => Err(Error::Family),
        _ => Err(Error::Unsupported),
    }
}

const fn has<P: Parts>(family: Family) -> bool {
    match family {
        Family::V4 => P::IPV4,
        Family::V6 => P::IPV6,
    }
}

/// Its owner needs it no more.
pub fn close<P: Parts>(stack: &mut Stack<P>, now: Instant, kind: Kind) -> Result<(), Error> {
    match is_there::<P>(kind)? {
        Kind::Stream(handle) => stack.tcp.close(now, &mut stack.ip, handle).map_err(of_stream),
        Kind::Datagrams(handle) => stack.udp.close(now, &mut stack.ip, handle).map_err(of_datagrams),
        Kind::Raw(handle) => {
            let closed = stack.raw.close(handle).map_err(of_datagrams);
            note_watchers(stack);
            closed
        }
    }
}

/// Whoever takes copies of packets gets all of them: none may be saved.
fn note_watchers<P: Parts>(stack: &mut Stack<P>) {
    stack.tcp.set_watched(stack.raw.takes(protocol::TCP));
    stack.udp.set_watched(stack.raw.takes(protocol::UDP));
}

/// Ends directions of a socket that is no stream. One that has no other side is told so, and its directions end, as on
/// Linux: who waits is woken.
pub fn end<P: Parts>(state: &mut State<P>, socket: Socket, kind: Kind, ends: [bool; 2]) -> Result<(), Error> {
    let waiting = state.table.end(socket, ends)?;
    state.woken.push(waiting);
    let remote = match kind {
        Kind::Datagrams(handle) => state.stack.udp.remote(handle),
        Kind::Raw(handle) => state.stack.raw.remote(handle),
        Kind::Stream(_) => Ok(None),
    };
    remote.map_err(of_datagrams)?.map(drop).ok_or(Error::NotConnected)
}

/// What a socket is ready for that is no stream.
pub fn ready(waiting: usize, error: bool, [received, sent]: [bool; 2]) -> Readiness {
    let mut ready = Readiness::WRITABLE;
    ready.set(Readiness::READABLE, waiting > 0 || received);
    ready.set(Readiness::ENDED, received);
    ready.set(Readiness::HANGUP, received && sent);
    ready.set(Readiness::ERROR, error);
    ready
}

/// The value of a setting.
pub fn setting<P: Parts>(state: &State<P>, socket: Socket, setting: Setting) -> Result<Setting, Error> {
    match state.kind(socket)? {
        Kind::Stream(handle) => {
            let info = || state.stack.tcp.info(handle).map_err(of_stream);
            match setting {
                Setting::Listening(_) => Ok(Setting::Listening(info()?.state == tcp::State::Listen)),
                Setting::SendBuffer(_) | Setting::ReceiveBuffer(_) => {
                    let wanted = state.stack.tcp.settings(handle).map_err(of_stream)?;
                    Ok(settings::of_queues(wanted, &info()?, setting))
                }
                Setting::PathMtu(_) => match stream::told(&info()?, now()).path_mtu {
                    0 => Err(Error::NotConnected),
                    mtu => Ok(Setting::PathMtu(mtu)),
                },
                Setting::SegmentSize(_) => Ok(Setting::SegmentSize(info()?.send_segment as u16)),
                _ => settings::of_stream(state.stack.tcp.settings(handle).map_err(of_stream)?, setting),
            }
        }
        Kind::Datagrams(handle) if matches!(setting, Setting::PathMtu(_)) => {
            let to = state.stack.udp.remote(handle).map_err(of_datagrams)?.ok_or(Error::NotConnected)?;
            let way = state.stack.ip.way(to.ip(), None, 0).map_err(of_datagrams)?;
            Ok(Setting::PathMtu(way.mtu as u32))
        }
        Kind::Raw(handle) => settings::of_raw(state.stack.raw.settings(handle).map_err(of_datagrams)?, setting),
        Kind::Datagrams(handle) => {
            settings::of_datagrams(state.stack.udp.settings(handle).map_err(of_datagrams)?, setting)
        }
    }
}

/// Joins a group, or leaves it.
pub fn set_member<P: Parts>(
    state: &mut State<P>,
    now: Instant,
    socket: Socket,
    group: Membership,
    member: bool,
) -> Result<(), Error> {
    let Kind::Datagrams(handle) = state.kind(socket)? else { return Err(Error::NoSetting) };
    let stack = &mut state.stack;
    let interface = match group.interface {
        // The route to groups is that to everyone, else the first interface that has others on it.
        0 => {
            let way = stack.ip.way(group.group, None, 0).map(|way| way.interface).ok();
            let first = || state.links.first().map(|link| link.interface);
            way.or_else(first).ok_or(Error::NotAvailable)?
        }
        number => number,
    };
    let result = if member {
        stack.udp.join(now, &mut stack.ip, handle, interface, group.group)
    } else {
        stack.udp.leave(now, &mut stack.ip, handle, interface, group.group)
    };
    result.map_err(of_datagrams)
}
