//! Packets come in.

use packets::{Instant, Packet, ipv4::protocol};

use super::{
    Raw, cost,
    socket::{Kind, Received},
    takes,
};
use crate::{
    delivery::{Arrived, Told},
    error::{Error, Failure},
    icmp::{self, v4, v6},
    ip::Ip,
    parts::Parts,
    slab::Handle,
    software::{into_parts, pull},
};

impl Raw {
    /// The next packet.
    ///
    /// # Errors
    /// [`Error::WouldBlock`], [`Error::Told`], [`Error::Stale`].
    pub fn receive(&mut self, handle: Handle) -> Result<Received, Error> {
        let socket = self.socket_mut(handle)?;
        if let Some(failure) = socket.error.take() {
            return Err(Error::Told(failure));
        }
        let received = socket.queue.pop_front().ok_or(Error::WouldBlock)?;
        socket.queued -= cost(&received);
        Ok(received)
    }

    /// The next packet, which stays: `MSG_PEEK`.
    ///
    /// # Errors
    /// [`Error::WouldBlock`], [`Error::Stale`].
    pub fn peek(&self, handle: Handle) -> Result<&Received, Error> {
        self.socket(handle)?.queue.front().ok_or(Error::WouldBlock)
    }

    /// Gives a packet to all sockets that want it; `false` if there are none of its protocol.
    pub fn input(&mut self, now: Instant, arrived: &Arrived, protocol: u8, packet: &Packet) -> bool {
        let v4 = arrived.is_ipv4();
        // Most machines have none at all.
        if self.places.is_empty() {
            return false;
        }
        let mut takers = self.places.get(&Kind::Raw(v4, protocol)).cloned().unwrap_or_default();
        let taken = !takers.is_empty();
        if let Some(identifier) = answered(v4, protocol, packet) {
            takers.extend(self.places.get(&Kind::Ping(v4, identifier)).into_iter().flatten());
        }
        let kind = kind_of_message(protocol, packet);
        for handle in takers {
            if self.wants(handle, arrived, kind) {
                let payload = into_parts(packet.clone());
                self.queue(handle, Received { header: arrived.header, interface: arrived.interface, at: now, payload });
            }
        }
        taken
    }

    fn wants(&self, handle: Handle, arrived: &Arrived, kind: Option<u8>) -> bool {
        let Some(socket) = self.sockets.get(handle) else { return false };
        let (settings, from) = (&socket.settings, arrived.from());
        socket.remote.is_none_or(|remote| remote.ip() == from)
            && takes(socket.local, arrived.to())
            && (settings.interface == 0 || settings.interface == arrived.interface)
            && kind.is_none_or(|kind| settings.wants(kind))
    }

    fn queue(&mut self, handle: Handle, received: Received) {
        let Some(socket) = self.sockets.get_mut(handle) else { return };
        let cost = cost(&received);
        if socket.queued > 0 && socket.queued + cost > socket.settings.receive_limit {
            socket.lost += 1;
            return;
        }
        socket.queued += cost;
        socket.queue.push_back(received);
        self.wake(handle);
    }

    /// What ICMP says about an echo of a ping socket.
    pub fn told<P: Parts>(&mut self, now: Instant, ip: &mut Ip<P>, told: &Told) {
        let v4 = told.from.is_ipv4();
        let [kind, _, _, _, a, b, ..] = told.transport[..] else { return };
        if kind != if v4 { v4::ECHO } else { v6::ECHO } {
            return;
        }
        let place = self.places.get(&Kind::Ping(v4, u16::from_be_bytes([a, b])));
        let Some(handle) = place.and_then(|here| here.first()).copied() else { return };
        if let Failure::TooBig(mtu) = told.failure {
            ip.narrow(now, told.to, mtu);
        }
        if let Some(socket) = self.sockets.get_mut(handle) {
            socket.error = Some(told.failure);
            if socket.settings.errors {
                socket.complaints.keep(told, 0, 0);
            }
            self.wake(handle);
        }
    }
}

/// The identifier of an echo that is answered.
fn answered(v4: bool, protocol: u8, packet: &Packet) -> Option<u16> {
    let (icmp, answer) = if v4 { (protocol::ICMP, v4::ECHO_REPLY) } else { (protocol::ICMPV6, v6::ECHO_REPLY) };
    if protocol != icmp {
        return None;
    }
    let mut packet = packet.clone();
    pull(&mut packet, icmp::HEADER);
    match packet.front() {
        &[kind, 0, _, _, a, b, ..] if kind == answer => Some(u16::from_be_bytes([a, b])),
        _ => None,
    }
}

/// The kind of a message of ICMP.
fn kind_of_message(protocol: u8, packet: &Packet) -> Option<u8> {
    let mut first = [0];
    let is_message = matches!(protocol, protocol::ICMP | protocol::ICMPV6);
    (is_message && packet.copy_to(&mut first) == 1).then_some(first[0])
}
