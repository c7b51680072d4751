//! The contract `sockets`.

use alloc::vec::Vec;
use core::net::{IpAddr, SocketAddr};

use netstack::Parts;
use nic::Nics;
use sockets::{
    Assigned, Counts, Error, Form, Interface, Listed, Membership, Neighbour, Readiness, Received, Receiving, Route,
    Sending, Setting, Shutdown, Sink, Socket, Sockets, Source, Stamp, Stream, Waiting,
};

use crate::{
    errors::{of_datagrams, of_failure, of_stream},
    kinds::{self, end, open, ready},
    network::Network,
    parting, report, settings,
    state::now,
    stream, streams,
    table::{Kind, is_raw, is_stream},
};

impl<P: Parts<Congestion: Send> + Send + 'static, N: Nics> Network<P, N> {
    /// Which directions have ended of a socket that is no stream.
    fn ended(&self, socket: Socket) -> [bool; 2] {
        self.ask(|state| Ok(state.table.ended(socket))).unwrap_or_default()
    }

    #[inline]
    fn stream_readiness(&self, socket: Socket) -> Readiness {
        let ready = self.take(|state| {
            let handle = state.table.stream(socket)?;
            state.stack.tcp.readiness(handle).map(streams::readiness).map_err(of_stream)
        });
        ready.unwrap_or(Readiness::HANGUP)
    }

    #[inline(never)]
    fn raw_readiness(&self, socket: Socket) -> Readiness {
        let ready = self.take(|state| {
            let entry = state.table.entry(socket)?;
            let Kind::Raw(handle) = entry.kind else { return Err(Error::Stale) };
            let (waiting, error) = state.stack.raw.waiting(handle).map_err(of_datagrams)?;
            Ok(ready(waiting, error, entry.ended))
        });
        ready.unwrap_or(Readiness::HANGUP)
    }

    #[inline]
    fn datagrams_readiness(&self, socket: Socket) -> Readiness {
        let ready = self.take(|state| {
            let entry = state.table.entry(socket)?;
            let Kind::Datagrams(handle) = entry.kind else { return Err(Error::Stale) };
            // Of one that is no more it counts that it is not there, and not why.
            let (waiting, error) = state.stack.udp.readiness(handle).map_err(|_| Error::Stale)?;
            Ok(ready(waiting, error, entry.ended))
        });
        ready.unwrap_or(Readiness::HANGUP)
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
            let kind = state.remove(socket)?;
            kinds::close(&mut state.stack, now, kind)
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
            Kind::Stream(handle) => {
                state.stack.tcp.listen(handle, backlog).map_err(of_stream)?;
                state.announce();
                Ok(())
            }
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

    fn receive(
        &self,
        socket: Socket,
        sink: &mut dyn Sink,
        receiving: Receiving,
        received: &mut Received,
    ) -> Result<(), Error> {
        if receiving.contains(Receiving::ERRORS) {
            return self.receive_complaint(socket, sink).map(|told| *received = told);
        }
        let result = if P::TCP && is_stream(socket) {
            let count = self.read(socket, sink, receiving)?;
            (received.count, received.whole) = (count, count);
            return Ok(());
        } else if P::RAW && is_raw(socket) {
            self.receive_raw(socket, sink, receiving).map(|told| *received = told)
        } else if P::UDP {
            self.receive_datagram(socket, sink, receiving, received)
        } else {
            Err(Error::Stale)
        };
        match result {
            // Receiving has ended, and nothing is left: as the end of a stream.
            Err(Error::WouldBlock) if self.ended(socket)[0] => Ok(()),
            result => result,
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
        // Each by itself: a set of sockets asks for many, and one of UDP needs few registers.
        if P::TCP && is_stream(socket) {
            self.stream_readiness(socket)
        } else if P::RAW && is_raw(socket) {
            self.raw_readiness(socket)
        } else if P::UDP {
            self.datagrams_readiness(socket)
        } else {
            Readiness::HANGUP
        }
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
        self.ask(|state| kinds::setting(state, socket, setting))
    }

    fn set_membership(&self, socket: Socket, group: Membership, member: bool) -> Result<(), Error> {
        if group.source.is_some() {
            return Err(Error::Unsupported);
        }
        self.with(|state, now| kinds::set_member(state, now, socket, group, member))
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

    fn owes(&self) -> bool {
        self.ask(|state| Ok(parting::may_owe(state))).unwrap_or(false)
    }

    fn close_all(&self) -> u64 {
        let _ = self.with(|state, now| {
            parting::close_all(state, now);
            Ok(())
        });
        self.ask(|state| Ok(parting::owed(state))).unwrap_or(0)
    }

    fn look(&self) -> bool {
        self.take_in()
    }

    fn is_told(&self) -> bool {
        self.is_told()
    }
}
