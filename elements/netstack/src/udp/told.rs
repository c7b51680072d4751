//! What ICMP says about datagrams of ours: RFC 1122, 4.1.3.3; RFC 8085, 5.2.

use core::net::SocketAddr;

use packets::{Instant, ipv4::protocol};

use super::{Local, Udp, port_of};
use crate::{
    delivery::{Cutting, Told},
    error::Failure,
    ip::Ip,
    parts::Parts,
    slab::Handle,
};

impl Udp {
    /// Takes what is said about a datagram. It counts only if a socket of ours has sent it: the path is believed to be
    /// narrow then, and the socket has an error, if it is connected or wants errors.
    pub fn told<P: Parts>(&mut self, now: Instant, ip: &mut Ip<P>, told: &Told) {
        let [a, b, c, d, ..] = told.transport[..] else { return };
        let (own, other) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
        let remote = SocketAddr::new(told.to, other);
        let Some((handle, connected)) = self.sender(told, own, remote) else { return };
        if let Failure::TooBig(mtu) = told.failure {
            ip.narrow(now, told.to, mtu);
        }
        let Some(socket) = self.sockets.get_mut(handle) else { return };
        let settings = &socket.settings;
        // Linux' table of fatal ones: others may pass by themselves.
        let hard = match told.failure {
            Failure::Port | Failure::Protocol | Failure::Forbidden => true,
            Failure::TooBig(_) => matches!(settings.cutting, Cutting::Nowhere | Cutting::Probe),
            _ => false,
        };
        if settings.errors || connected && hard {
            socket.error = Some(told.failure);
            if socket.settings.errors {
                socket.complaints.keep(told, other, packets::udp::HEADER);
            }
            self.wake(handle);
        }
    }

    /// The socket that has sent a datagram, and whether it is connected.
    fn sender(&self, told: &Told, own: u16, remote: SocketAddr) -> Option<(Handle, bool)> {
        let any = if told.from.is_ipv4() { Local::AnyV4 } else { Local::AnyV6 };
        let exact = Local::Address(told.from);
        let own = port_of(own, told.protocol == protocol::UDP_LITE);
        let places = [(exact, own, Some(remote)), (exact, own, None), (any, own, None), (Local::AnyV6, own, None)];
        let found = places.iter().find_map(|place| self.places.get(place).map(|here| (here, place.2.is_some())));
        found.and_then(|(here, connected)| here.last().map(|handle| (*handle, connected)))
    }
}
