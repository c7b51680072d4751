//! Sockets of UDP.

use netstack::{Packet, Parts, udp};
use nic::Nics;
use sockets::{Error, Received, Receiving, Sending, Sink, Socket, Source};

use crate::{errors::of_datagrams, network::Network, streams};

/// More than any message may have, so that one that is too long is seen to be.
const LONGEST: usize = 1 << 16;

impl<P: Parts<Congestion: Send> + 'static, N: Nics> Network<P, N> {
    /// Sends the message that `source` is.
    pub(crate) fn send_datagram(
        &self,
        socket: Socket,
        source: &mut dyn Source,
        sending: &Sending,
    ) -> Result<usize, Error> {
        let mut packet = Packet::default();
        take_payload(source, &mut packet)?;
        let how = udp::Sending {
            to: sending.to,
            from: sending.from,
            interface: sending.interface,
            hop_limit: sending.hop_limit.unwrap_or(0),
            traffic_class: sending.traffic_class,
            segment: sending.segment,
        };
        self.with(|state, now| {
            let handle = state.table.datagrams(socket)?;
            state.table.check_sending(socket)?;
            state.stack.udp.send_packet(now, &mut state.stack.ip, handle, &mut packet, &how).map_err(of_datagrams)
        })
    }

    /// Gives `sink` the next message; what it has no room for is gone.
    pub(crate) fn receive_datagram(
        &self,
        socket: Socket,
        sink: &mut dyn Sink,
        how: Receiving,
        received: &mut Received,
    ) -> Result<(), Error> {
        if how.contains(Receiving::PEEK) {
            return self.peek_datagram(socket, sink, received);
        }
        let (head, parts) = self.take(|state| {
            let handle = state.table.datagrams(socket)?;
            let tell = |next: &udp::Datagram, length| describe(next, length, received);
            state.stack.udp.receive_payload(handle, tell).map_err(of_datagrams)
        })?;
        received.count = match &parts {
            None => sink.put(head.bytes()),
            Some(parts) if head.is_empty() => streams::put(parts.iter().map(|part| &**part), sink),
            Some(parts) => streams::put(core::iter::once(head.bytes()).chain(parts.iter().map(|part| &**part)), sink),
        };
        Ok(())
    }

    /// Gives `sink` the next message, which stays.
    #[inline(never)]
    fn peek_datagram(&self, socket: Socket, sink: &mut dyn Sink, received: &mut Received) -> Result<(), Error> {
        let payload = self.take(|state| {
            let next = state.stack.udp.peek(state.table.datagrams(socket)?).map_err(of_datagrams)?;
            describe(next, next.len(), received);
            Ok(next.payload.clone())
        })?;
        received.count = streams::put(payload.stretches(), sink);
        Ok(())
    }
}

/// What is told of a datagram, beside how much of it the sink has taken.
#[inline]
fn describe(datagram: &udp::Datagram, length: usize, to: &mut Received) {
    to.whole = length;
    to.from = Some(datagram.from);
    to.to = Some(datagram.to.ip());
    to.interface = datagram.interface;
    to.hop_limit = datagram.hop_limit;
    to.traffic_class = datagram.traffic_class;
    to.segment = datagram.segment;
    to.at = datagram.at.as_nanos();
}

/// Makes an empty packet the message that `source` is: what is short lies in its head, the rest in memory of its own.
fn take_payload(source: &mut dyn Source, packet: &mut Packet) -> Result<(), Error> {
    let length = source.left();
    if length > LONGEST {
        return Err(Error::TooLong);
    }
    let taken = match packet.head.grow(length) {
        Some(place) => source.take(place),
        None => {
            let bytes = streams::taken(source, LONGEST)?;
            let taken = bytes.len();
            packet.parts.push(bytes);
            taken
        }
    };
    if taken < length { Err(Error::BadAddress) } else { Ok(()) }
}
