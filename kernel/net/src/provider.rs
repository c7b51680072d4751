//! The contract `sockets`.

use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use netstack::{Parts, udp};
use nic::Nics;
use sockets::{
    Assigned, Counts, Error, Family, Form, Interface, Listed, Membership, Neighbour, Readiness, Received, Receiving,
    Route, Sending, Setting, Shutdown, Sink, Socket, Sockets, Source, Stamp, Stream, Waiting,
};

use crate::{
    errors::{of_datagrams, of_failure, of_stream},
    network::Network,
    report, settings,
    state::{State, now},
    stream, streams,
    table::{Kind, is_raw, is_stream},
};

impl<P: Parts<Congestion: Send> + Send + 'static, N: Nics> Network<P, N> {
    /// Which directions have ended of a socket that is no stream.
    fn ended(&self, socket: Socket) -> [bool; 2] {
        self.ask(|state| Ok(state.table.ended(socket))).unwrap_or_default()
    }
}

fn open<P: Parts>(state: &mut State<P>, form: Form) -> Result<Kind, Error> {
    match form {
        Form::Stream(family) if P::TCP && has::<P>(family) => {
            let family = if family == Family::V4 { tcp::Family::V4 } else { tcp::Family::V6 };
            state.stack.tcp.open(family).map(Kind::Stream).map_err(of_stream)
        }
        Form::Datagrams(family) if P::UDP && has::<P>(family) => {
            let family = if family == Family::V4 { udp::Family::V4 } else { udp::Family::V6 };
            state.stack.udp.open(family).map(Kind::Datagrams).map_err(of_datagrams)
        }
        Form::Echoes(family) if P::RAW && has::<P>(family) => {
            state.stack.raw.open_ping(family == Family::V4).map(Kind::Raw).map_err(of_datagrams)
        }
        Form::Raw(family, protocol) if P::RAW && has::<P>(family) => {
            state.stack.raw.open(family == Family::V4, protocol).map(Kind::Raw).map_err(of_datagrams)
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

/// Ends directions of a socket that is no stream. One that has no other side is told so, and its directions end, as on
/// Linux: who waits is woken.
fn end<P: Parts>(state: &mut State<P>, socket: Socket, kind: Kind, ends: [bool; 2]) -> Result<(), Error> {
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
fn ready(waiting: usize, error: bool, [received, sent]: [bool; 2]) -> Readiness {
    let mut ready = Readiness::WRITABLE;
    ready.set(Readiness::READABLE, waiting > 0 || received);
    ready.set(Readiness::READ_CLOSED, received);
    ready.set(Readiness::HANGUP, received && sent);
    ready.set(Readiness::ERROR, error);
    ready
}

impl<P: Parts<Congestion: Send> + Send + 'static, N: Nics> Sockets for Network<P, N> {
    fn open(&self, form: Form, waiting: Waiting) -> Result<Socket, Error> {
        self.begin();
        self.with(|state, _| {
            let kind = open(state, form)?;
            Ok(state.table.add(kind, waiting))
        })
    }

    fn close(&self, socket: Socket) {
        // Who closes a socket that is closed has lost nothing.
        let _ = self.with(|state, now| {
            let (kind, stack) = (state.remove(socket)?, &mut state.stack);
            match kind {
                Kind::Stream(handle) => stack.tcp.close(now, &mut stack.ip, handle).map_err(of_stream),
                Kind::Datagrams(handle) => stack.udp.close(now, &mut stack.ip, handle).map_err(of_datagrams),
                Kind::Raw(handle) => stack.raw.close(handle).map_err(of_datagrams),
            }
        });
    }

    fn bind(&self, socket: Socket, address: SocketAddr) -> Result<(), Error> {
        self.with(|state, _| {
            let (kind, stack) = (state.kind(socket)?, &mut state.stack);
            match kind {
                Kind::Stream(handle) => stack.tcp.bind(&stack.ip, handle, address).map_err(of_stream),
                Kind::Datagrams(handle) => stack.udp.bind(&stack.ip, handle, address).map_err(of_datagrams),
                Kind::Raw(handle) => stack.raw.bind(&stack.ip, handle, address).map_err(of_datagrams),
            }
        })
    }

    fn listen(&self, socket: Socket, backlog: u32) -> Result<(), Error> {
        self.with(|state, _| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.listen(handle, backlog).map_err(of_stream),
            Kind::Datagrams(_) | Kind::Raw(_) => Err(Error::Unsupported),
        })
    }

    fn accept(&self, socket: Socket, waiting: Waiting) -> Result<(Socket, SocketAddr), Error> {
        self.with(|state, _| match state.kind(socket)? {
            Kind::Stream(handle) => {
                let (accepted, from) = state.stack.tcp.accept(handle).map_err(of_stream)?;
                Ok((state.table.add(Kind::Stream(accepted), waiting), from))
            }
            Kind::Datagrams(_) | Kind::Raw(_) => Err(Error::Unsupported),
        })
    }

    fn connect(&self, socket: Socket, to: Option<SocketAddr>) -> Result<(), Error> {
        self.with(|state, now| {
            let (kind, stack) = (state.kind(socket)?, &mut state.stack);
            match (kind, to) {
                (Kind::Stream(handle), Some(to)) => {
                    stack.tcp.connect(now, &mut stack.ip, handle, to).map_err(of_stream)?;
                    Err(Error::InProgress)
                }
                (Kind::Stream(_), None) => Err(Error::Unsupported),
                (Kind::Datagrams(handle), Some(to)) => {
                    stack.udp.connect(now, &mut stack.ip, handle, to).map_err(of_datagrams)
                }
                (Kind::Datagrams(handle), None) => stack.udp.disconnect(handle).map_err(of_datagrams),
                (Kind::Raw(handle), to) => stack.raw.connect(handle, to).map_err(of_datagrams),
            }
        })
    }

    fn send(&self, socket: Socket, source: &mut dyn Source, sending: &Sending) -> Result<usize, Error> {
        if P::TCP && is_stream(socket) {
            self.write(socket, source, sending)
        } else if P::RAW && is_raw(socket) {
            self.send_raw(socket, source, sending)
        } else if P::UDP {
            self.send_datagram(socket, source, sending)
        } else {
            Err(Error::Stale)
        }
    }

    fn receive(&self, socket: Socket, sink: &mut dyn Sink, receiving: Receiving) -> Result<Received, Error> {
        if receiving.contains(Receiving::ERRORS) {
            return self.receive_complaint(socket, sink);
        }
        let received = if P::TCP && is_stream(socket) {
            return self.read(socket, sink, receiving);
        } else if P::RAW && is_raw(socket) {
            self.receive_raw(socket, sink, receiving)
        } else if P::UDP {
            self.receive_datagram(socket, sink, receiving)
        } else {
            Err(Error::Stale)
        };
        match received {
            // Receiving has ended, and nothing is left: as the end of a stream.
            Err(Error::WouldBlock) if self.ended(socket)[0] => Ok(Received::default()),
            received => received,
        }
    }

    fn shut_down(&self, socket: Socket, how: Shutdown) -> Result<(), Error> {
        let ends = [how != Shutdown::Write, how != Shutdown::Read];
        let of_stream_too = match how {
            Shutdown::Read => tcp::Shutdown::Read,
            Shutdown::Write => tcp::Shutdown::Write,
            Shutdown::Both => tcp::Shutdown::Both,
        };
        self.with(|state, now| match state.kind(socket)? {
            Kind::Stream(handle) => {
                state.stack.tcp.shutdown(now, &mut state.stack.ip, handle, of_stream_too).map_err(of_stream)
            }
            kind => end(state, socket, kind, ends),
        })
    }

    fn local(&self, socket: Socket) -> Result<SocketAddr, Error> {
        self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.local(handle).map_err(of_stream),
            Kind::Datagrams(handle) => state.stack.udp.local(handle).map_err(of_datagrams),
            Kind::Raw(handle) => state.stack.raw.local(handle).map_err(of_datagrams),
        })
    }

    fn remote(&self, socket: Socket) -> Result<SocketAddr, Error> {
        self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.remote(handle).map_err(of_stream),
            Kind::Datagrams(handle) => state.stack.udp.remote(handle).map_err(of_datagrams)?.ok_or(Error::NotConnected),
            Kind::Raw(handle) => state.stack.raw.remote(handle).map_err(of_datagrams)?.ok_or(Error::NotConnected),
        })
    }

    fn readiness(&self, socket: Socket) -> Readiness {
        let ready = self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.readiness(handle).map(streams::readiness).map_err(of_stream),
            Kind::Datagrams(handle) => {
                let (waiting, _) = state.stack.udp.waiting(handle).map_err(of_datagrams)?;
                let error = state.stack.udp.has_error(handle).map_err(of_datagrams)?;
                Ok(ready(waiting, error, state.table.ended(socket)))
            }
            Kind::Raw(handle) => {
                let (waiting, error) = state.stack.raw.waiting(handle).map_err(of_datagrams)?;
                Ok(ready(waiting, error, state.table.ended(socket)))
            }
        });
        ready.unwrap_or(Readiness::HANGUP)
    }

    fn take_error(&self, socket: Socket) -> Option<Error> {
        let error = self.with(|state, _| match state.kind(socket)? {
            Kind::Stream(handle) => Ok(state.stack.tcp.take_error(handle).map_err(of_stream)?.map(of_stream)),
            Kind::Datagrams(handle) => Ok(state.stack.udp.take_error(handle).map_err(of_datagrams)?.map(of_failure)),
            Kind::Raw(handle) => Ok(state.stack.raw.take_error(handle).map_err(of_datagrams)?.map(of_failure)),
        });
        error.unwrap_or(None)
    }

    fn take_stamp(&self, socket: Socket) -> Option<Stamp> {
        self.with(|state, _| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.take_stamp(handle).map_err(of_stream),
            Kind::Datagrams(_) | Kind::Raw(_) => Ok(None),
        })
        .ok()
        .flatten()
        .map(streams::stamp)
    }

    fn available(&self, socket: Socket) -> usize {
        let available = self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.info(handle).map(|info| info.readable as usize).map_err(of_stream),
            Kind::Datagrams(handle) => state.stack.udp.peek(handle).map(|next| next.len()).map_err(of_datagrams),
            Kind::Raw(handle) => {
                let length = |next: &netstack::raw::Received| next.payload.iter().map(packets::Bytes::len).sum();
                state.stack.raw.peek(handle).map(length).map_err(of_datagrams)
            }
        });
        available.unwrap_or(0)
    }

    fn stream(&self, socket: Socket) -> Result<Stream, Error> {
        self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => {
                state.stack.tcp.info(handle).map(|info| stream::told(&info, now())).map_err(of_stream)
            }
            _ => Err(Error::Unsupported),
        })
    }

    /// What is sent without a connection is on its way at once.
    fn queued(&self, socket: Socket) -> usize {
        self.stream(socket).map_or(0, |stream| stream.queued as usize)
    }

    fn is_at_mark(&self, socket: Socket) -> bool {
        let mark = self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.at_mark(handle).map_err(of_stream),
            _ => Ok(false),
        });
        mark.unwrap_or(false)
    }

    fn set(&self, socket: Socket, setting: Setting) -> Result<(), Error> {
        self.with(|state, now| {
            let (kind, stack) = (state.kind(socket)?, &mut state.stack);
            match kind {
                Kind::Stream(handle) => {
                    let mut result = Ok(());
                    let change = |all: &mut tcp::Settings| result = settings::set_stream(all, setting);
                    stack.tcp.change_settings(now, &mut stack.ip, handle, change).map_err(of_stream)?;
                    result
                }
                Kind::Datagrams(handle) => {
                    settings::set_datagrams(stack.udp.settings_mut(handle).map_err(of_datagrams)?, setting)
                }
                Kind::Raw(handle) => settings::set_raw(stack.raw.settings_mut(handle).map_err(of_datagrams)?, setting),
            }
        })
    }

    fn get(&self, socket: Socket, setting: Setting) -> Result<Setting, Error> {
        self.ask(|state| match state.kind(socket)? {
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
        })
    }

    fn set_membership(&self, socket: Socket, group: Membership, member: bool) -> Result<(), Error> {
        if group.source.is_some() {
            return Err(Error::Unsupported);
        }
        self.with(|state, now| {
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
        })
    }

    fn name_server(&self, number: usize) -> Option<IpAddr> {
        Self::name_server(self, number)
    }

    fn interface_of(&self, address: IpAddr) -> Option<u32> {
        self.begin();
        self.ask(|state| Ok(state.stack.ip.interface_of(address))).ok().flatten()
    }

    fn interfaces(&self) -> Vec<Interface> {
        self.told(report::interfaces)
    }

    fn addresses(&self) -> Vec<Assigned> {
        self.told(report::addresses)
    }

    fn routes(&self) -> Vec<Route> {
        self.told(report::routes)
    }

    fn neighbours(&self) -> Vec<Neighbour> {
        self.told(|state| report::neighbours(state, now()))
    }

    fn all(&self) -> Vec<Listed> {
        self.told(report::all)
    }

    fn counts(&self) -> Counts {
        self.told(report::counts)
    }

    fn look(&self) -> bool {
        self.take_in()
    }
}
