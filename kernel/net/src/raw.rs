//! Raw and ping sockets.

use netstack::{Header, Parts, raw};
use nic::Nics;
use sockets::{Error, Received, Receiving, Sending, Sink, Socket, Source};
use zerocopy::IntoBytes;

use crate::{
    errors::{of_datagrams, of_failure},
    network::Network,
    streams,
    table::Kind,
};

/// More than any packet may have, so that one that is too long is seen to be.
const LONGEST: usize = 1 << 16;

impl<P: Parts<Congestion: Send> + 'static, N: Nics> Network<P, N> {
    /// Sends the packet that `source` is, from its protocol's header on.
    pub(crate) fn send_raw(&self, socket: Socket, source: &mut dyn Source, sending: &Sending) -> Result<usize, Error> {
        let length = source.left();
        if length > LONGEST {
            return Err(Error::TooLong);
        }
        let bytes = streams::taken(source, LONGEST)?;
        if bytes.len() < length {
            return Err(Error::BadAddress);
        }
        let how = raw::Sending {
            to: sending.to.map(|to| to.ip()),
            from: sending.from,
            interface: sending.interface,
            hop_limit: sending.hop_limit.unwrap_or(0),
            traffic_class: sending.traffic_class,
        };
        self.with(|state, now| {
            let handle = state.table.raw(socket)?;
            state.table.check_sending(socket)?;
            state.stack.raw.send(now, &mut state.stack.ip, handle, &bytes, &how).map_err(of_datagrams)
        })
    }

    /// Gives `sink` the next packet; what it has no room for is gone. That of IPv4 comes with its header, raw(7).
    pub(crate) fn receive_raw(&self, socket: Socket, sink: &mut dyn Sink, how: Receiving) -> Result<Received, Error> {
        let (packet, whole) = self.take(|state| {
            let handle = state.table.raw(socket)?;
            let raw = &mut state.stack.raw;
            let whole = raw.is_raw(handle).map_err(of_datagrams)?;
            let packet = if how.contains(Receiving::PEEK) { raw.peek(handle).cloned() } else { raw.receive(handle) };
            Ok((packet.map_err(of_datagrams)?, whole))
        })?;
        let length: usize = packet.payload.iter().map(packets::Bytes::len).sum();
        let (from, to, hop_limit, traffic_class) = ends(&packet.header);
        let mut header = 0;
        if whole && let Header::V4(of_packet) = &packet.header {
            header = size_of_val(of_packet);
            let mut told = *of_packet;
            // What is put together from fragments, or was cut, is told as the one packet that it is.
            told.version_and_length = 0x45;
            told.total_length = ((header + length) as u16).into();
            if sink.put(told.as_bytes()) < header {
                return Ok(received(
                    header.min(sink.room()),
                    header + length,
                    &packet,
                    (from, to, hop_limit, traffic_class),
                ));
            }
        }
        let count = header + streams::put(packet.payload.iter().map(|part| &part[..]), sink);
        Ok(received(count, header + length, &packet, (from, to, hop_limit, traffic_class)))
    }

    /// Gives `sink` the bytes of a message that failed, and says why: `MSG_ERRQUEUE`.
    pub(crate) fn receive_complaint(&self, socket: Socket, sink: &mut dyn Sink) -> Result<Received, Error> {
        let complaint = self.take(|state| match state.kind(socket)? {
            Kind::Stream(_) => Err(Error::WouldBlock),
            Kind::Datagrams(handle) => state.stack.udp.take_complaint(handle).map_err(of_datagrams),
            Kind::Raw(handle) => state.stack.raw.take_complaint(handle).map_err(of_datagrams),
        })?;
        let mtu = if let netstack::Failure::TooBig(mtu) = complaint.failure { mtu.into() } else { 0 };
        let failed =
            sockets::Failed { error: of_failure(complaint.failure), by: complaint.by, message: complaint.message, mtu };
        Ok(Received {
            count: sink.put(&complaint.payload),
            whole: complaint.payload.len(),
            from: Some(complaint.to),
            failed: Some(failed),
            ..Received::default()
        })
    }
}

/// Source, destination, what is left of the hop limit, and the traffic class.
type Ends = (core::net::IpAddr, core::net::IpAddr, u8, u8);

fn ends(header: &Header) -> Ends {
    match header {
        Header::V4(header) => {
            (header.source().into(), header.destination().into(), header.time_to_live, header.traffic_class)
        }
        Header::V6(header) => {
            (header.source().into(), header.destination().into(), header.hop_limit, header.traffic_class())
        }
    }
}

fn received(count: usize, whole: usize, packet: &raw::Received, (from, to, hop_limit, class): Ends) -> Received {
    Received {
        count,
        whole,
        from: Some((from, 0).into()),
        to: Some(to),
        interface: packet.interface,
        hop_limit,
        traffic_class: class,
        at: packet.at.as_nanos(),
        ..Received::default()
    }
}
