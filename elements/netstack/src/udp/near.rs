//! Datagrams from a socket of this machine to another one of it. They go right into its queue: no header is made,
//! looked at, and taken off again.

use core::net::SocketAddr;

use packets::{Packet, udp};

use super::{Datagram, Udp};
use crate::{
    delivery::{Cast, Plain},
    ip::Ip,
    parts::Parts,
    ways::Question,
};

impl Udp {
    /// Queues a datagram for the one socket that it is for; `false`: it has to be sent, and nothing was done.
    pub(super) fn queue_here<P: Parts>(
        &mut self,
        ip: &mut Ip<P>,
        question: &Question,
        how: &Plain,
        [source, destination]: [u16; 2],
        packet: &mut Packet,
    ) -> bool {
        if self.watched {
            return false;
        }
        let Some((way, usual)) = ip.way_within(question, udp::HEADER + packet.len()) else { return false };
        let (from, to) = (SocketAddr::new(way.from, source), SocketAddr::new(way.to, destination));
        let interface = way.interface;
        // Who is not there, and who shares a port, is the long way's matter.
        let [taker] = self.takers((interface, Cast::Ours), from, to, false)[..] else { return false };
        let datagram = Datagram {
            from,
            to,
            interface,
            hop_limit: if how.hop_limit == 0 { usual } else { how.hop_limit },
            traffic_class: how.traffic_class,
            at: ip.time(),
            segment: None,
            payload: core::mem::take(packet),
        };
        self.statistics.received += 1;
        ip.count_within(to.is_ipv4());
        self.queue_one(taker, datagram);
        true
    }
}
