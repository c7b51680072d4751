//! The contract `sockets`.

use core::net::{IpAddr, SocketAddr};

use netstack::{Parts, udp};
use nic::Nics;
use sockets::{
    Error, Family, Form, Membership, Readiness, Received, Receiving, Sending, Setting, Shutdown, Sink, Socket, Sockets,
    Source, Stamp, Waiting,
};

use crate::{
    errors::{of_datagrams, of_failure, of_stream},
    network::Network,
    settings,
    state::State,
    streams,
    table::{Kind, is_stream},
};

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
            }
        });
    }

    fn bind(&self, socket: Socket, address: SocketAddr) -> Result<(), Error> {
        self.with(|state, _| {
            let (kind, stack) = (state.kind(socket)?, &mut state.stack);
            match kind {
                Kind::Stream(handle) => stack.tcp.bind(&stack.ip, handle, address).map_err(of_stream),
                Kind::Datagrams(handle) => stack.udp.bind(&stack.ip, handle, address).map_err(of_datagrams),
            }
        })
    }

    fn listen(&self, socket: Socket, backlog: u32) -> Result<(), Error> {
        self.with(|state, _| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.listen(handle, backlog).map_err(of_stream),
            Kind::Datagrams(_) => Err(Error::Unsupported),
        })
    }

    fn accept(&self, socket: Socket, waiting: Waiting) -> Result<(Socket, SocketAddr), Error> {
        self.with(|state, _| match state.kind(socket)? {
            Kind::Stream(handle) => {
                let (accepted, from) = state.stack.tcp.accept(handle).map_err(of_stream)?;
                Ok((state.table.add(Kind::Stream(accepted), waiting), from))
            }
            Kind::Datagrams(_) => Err(Error::Unsupported),
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
            }
        })
    }

    fn send(&self, socket: Socket, source: &mut dyn Source, sending: &Sending) -> Result<usize, Error> {
        if P::TCP && is_stream(socket) {
            self.write(socket, source, sending)
        } else if P::UDP {
            self.send_datagram(socket, source, sending)
        } else {
            Err(Error::Stale)
        }
    }

    fn receive(&self, socket: Socket, sink: &mut dyn Sink, receiving: Receiving) -> Result<Received, Error> {
        if P::TCP && is_stream(socket) {
            self.read(socket, sink, receiving)
        } else if P::UDP {
            self.receive_datagram(socket, sink, receiving)
        } else {
            Err(Error::Stale)
        }
    }

    fn shut_down(&self, socket: Socket, how: Shutdown) -> Result<(), Error> {
        let how = match how {
            Shutdown::Read => tcp::Shutdown::Read,
            Shutdown::Write => tcp::Shutdown::Write,
            Shutdown::Both => tcp::Shutdown::Both,
        };
        self.with(|state, now| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.shutdown(now, &mut state.stack.ip, handle, how).map_err(of_stream),
            Kind::Datagrams(_) => Err(Error::Unsupported),
        })
    }

    fn local(&self, socket: Socket) -> Result<SocketAddr, Error> {
        self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.local(handle).map_err(of_stream),
            Kind::Datagrams(handle) => state.stack.udp.local(handle).map_err(of_datagrams),
        })
    }

    fn remote(&self, socket: Socket) -> Result<SocketAddr, Error> {
        self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.remote(handle).map_err(of_stream),
            Kind::Datagrams(handle) => state.stack.udp.remote(handle).map_err(of_datagrams)?.ok_or(Error::NotConnected),
        })
    }

    fn readiness(&self, socket: Socket) -> Readiness {
        let ready = self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.readiness(handle).map(streams::readiness).map_err(of_stream),
            Kind::Datagrams(handle) => {
                let (waiting, _) = state.stack.udp.waiting(handle).map_err(of_datagrams)?;
                let readable = if waiting > 0 { Readiness::READABLE } else { Readiness::empty() };
                Ok(readable | Readiness::WRITABLE)
            }
        });
        ready.unwrap_or(Readiness::HANGUP)
    }

    fn take_error(&self, socket: Socket) -> Option<Error> {
        let error = self.with(|state, _| match state.kind(socket)? {
            Kind::Stream(handle) => Ok(state.stack.tcp.take_error(handle).map_err(of_stream)?.map(of_stream)),
            Kind::Datagrams(handle) => Ok(state.stack.udp.take_error(handle).map_err(of_datagrams)?.map(of_failure)),
        });
        error.unwrap_or(None)
    }

    fn take_stamp(&self, socket: Socket) -> Option<Stamp> {
        self.with(|state, _| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.take_stamp(handle).map_err(of_stream),
            Kind::Datagrams(_) => Ok(None),
        })
        .ok()
        .flatten()
        .map(streams::stamp)
    }

    fn available(&self, socket: Socket) -> usize {
        let available = self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => state.stack.tcp.info(handle).map(|info| info.readable as usize).map_err(of_stream),
            Kind::Datagrams(handle) => state.stack.udp.peek(handle).map(|next| next.len()).map_err(of_datagrams),
        });
        available.unwrap_or(0)
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
            }
        })
    }

    fn get(&self, socket: Socket, setting: Setting) -> Result<Setting, Error> {
        self.ask(|state| match state.kind(socket)? {
            Kind::Stream(handle) => {
                let info = || state.stack.tcp.info(handle).map_err(of_stream);
                match setting {
                    Setting::Listening(_) => Ok(Setting::Listening(info()?.state == tcp::State::Listen)),
                    Setting::SendBuffer(_) => Ok(Setting::SendBuffer(info()?.send_limit)),
                    Setting::ReceiveBuffer(_) => Ok(Setting::ReceiveBuffer(info()?.receive_limit)),
                    Setting::SegmentSize(_) => Ok(Setting::SegmentSize(info()?.send_segment as u16)),
                    _ => settings::of_stream(state.stack.tcp.settings(handle).map_err(of_stream)?, setting),
                }
            }
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

    fn look(&self) -> bool {
        self.take_in()
    }
}
