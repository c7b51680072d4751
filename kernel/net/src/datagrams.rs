//! Sockets of UDP.

use netstack::{Handle, Parts, udp};
use nic::Nics;
use sockets::{Error, Received, Receiving, Sending, Sink, Source};

use crate::{errors::of_datagrams, network::Network, streams};

/// More than any message may have, so that one that is too long is seen to be.
const LONGEST: usize = 1 << 16;

impl<P: Parts<Congestion: Send> + 'static, N: Nics> Network<P, N> {
    /// Sends the message that `source` is.
    pub(crate) fn send_datagram(
        &self,
        handle: Handle,
        source: &mut dyn Source,
        sending: &Sending,
    ) -> Result<usize, Error> {
        if source.left() > LONGEST {
            return Err(Error::TooLong);
        }
        let length = source.left();
        let bytes = streams::taken(source, LONGEST)?;
        if bytes.len() < length {
            return Err(Error::BadAddress);
        }
        let how = udp::Sending {
            to: sending.to,
            from: sending.from,
            interface: sending.interface,
            hop_limit: sending.hop_limit.unwrap_or(0),
            traffic_class: sending.traffic_class,
            segment: sending.segment,
        };
        self.with(|state, now| {
            let payload = core::iter::once(bytes).collect();
            state.stack.udp.send(now, &mut state.stack.ip, handle, payload, &how).map_err(of_datagrams)
        })
    }

    /// Gives `sink` the next message; what it has no room for is gone.
    pub(crate) fn receive_datagram(
        &self,
        handle: Handle,
        sink: &mut dyn Sink,
        how: Receiving,
    ) -> Result<Received, Error> {
        let datagram = self.take(|state| {
            let udp = &mut state.stack.udp;
            if how.contains(Receiving::PEEK) { udp.peek(handle).cloned() } else { udp.receive(handle) }
                .map_err(of_datagrams)
        })?;
        let count = streams::put(&datagram.payload, sink);
        Ok(Received {
            count,
            whole: datagram.len(),
            from: Some(datagram.from),
            to: Some(datagram.to.ip()),
            interface: datagram.interface,
            hop_limit: datagram.hop_limit,
            traffic_class: datagram.traffic_class,
            segment: datagram.segment,
            at: datagram.at.as_nanos(),
            ..Received::default()
        })
    }
}
