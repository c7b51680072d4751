//! What ICMP says: RFC 9293, 3.9.2.2; RFC 5461; RFC 5927 says how far to believe it.

use core::net::{IpAddr, SocketAddr};

use packets::{Instant, tcp::SequenceNumber};

use super::{Tcp, places::Place};
use crate::{Error, Network, State, Told, Unreachable, congestion::Congestion, tuple::Tuple};

/// No path carries less: RFC 1122, 3.3.3 (552 is Linux' least of IPv4, without the header) and RFC 8200, 5.
const LEAST_V4: u16 = 552 - 20;
const LEAST_V6: u16 = 1280 - 40;

impl<C: Congestion> Tcp<C> {
    /// Takes what ICMP says about a segment of ours, whose first bytes it quotes: ports and sequence number at least.
    pub fn told(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        from: IpAddr,
        to: IpAddr,
        quoted: &[u8],
        told: Told,
    ) {
        let Some(&[a, b, c, d, e, f, g, h]) = quoted.first_chunk::<8>() else { return };
        let sequence = SequenceNumber(u32::from_be_bytes([e, f, g, h]));
        let local = SocketAddr::new(from, u16::from_be_bytes([a, b]));
        let remote = SocketAddr::new(to, u16::from_be_bytes([c, d]));
        let tuple = Tuple::new(local, remote);
        match self.places.find(&self.shared.secrets, &tuple) {
            Some(Place::Connection(index)) => self.told_connection(now, network, index, sequence, told),
            Some(Place::HalfOpen(index)) => {
                let entry = self.places.all.half_open.get(index);
                let ours = entry.is_some_and(|entry| entry.first == sequence);
                if ours && matches!(told, Told::Unreachable(_)) {
                    self.forget_half_open(index);
                }
            }
            _ => {}
        }
    }

    fn told_connection(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        index: u32,
        sequence: SequenceNumber,
        told: Told,
    ) {
        self.with(now, network, index, |connection, cx| {
            // RFC 5927, 4.1: only about what is under way.
            let under_way = connection.send.una.is_at_most(sequence) && sequence.is_before(connection.send.next);
            if !under_way {
                cx.shared.statistics.bad_messages += 1;
                return;
            }
            match told {
                Told::TooBig(payload) => {
                    let least = if connection.tuple.is_v4() { LEAST_V4 } else { LEAST_V6 };
                    connection.shrink_path(cx, payload.max(least));
                }
                Told::Unreachable(reason) => {
                    let error = match reason {
                        Unreachable::Port => Error::Refused,
                        reason => Error::Unreachable(reason),
                    };
                    let hard = matches!(reason, Unreachable::Port | Unreachable::Protocol | Unreachable::Forbidden);
                    if connection.state == State::SynSent && hard {
                        cx.shared.statistics.failed_opens += 1;
                        connection.finish(cx, Some(error));
                    } else {
                        // RFC 5461: a soft error. It is told if the connection dies of silence.
                        connection.rare().soft = Some(error);
                    }
                }
            }
        });
    }
}
