//! DHCP on the interfaces of a stack: messages out and in, and what a lease changes.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr};

use packets::{Bytes, Instant, Packet, ipv4::protocol, udp};

use crate::{
    delivery::{Arrived, Departure, Way},
    dhcp::{Action, CLIENT, Client, Lease, SERVER},
    dhcpv6,
    error::Error,
    interface::Medium,
    ip::Ip,
    parts::Parts,
    secret::Secret,
    software::pull,
    udp::datagram,
};

/// The clients of all interfaces.
#[derive(Debug, Default)]
pub struct Configuration(Vec<(u32, Client)>, Vec<(u32, dhcpv6::Client)>);

impl Configuration {
    /// Begins to ask for an address on an interface, which must be an Ethernet.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is none, [`Error::InUse`] if it asks already.
    pub fn start<P: Parts>(&mut self, now: Instant, ip: &mut Ip<P>, secret: &Secret, number: u32) -> Result<(), Error> {
        let Some(Medium::Ethernet(address)) = ip.interface(number).map(|interface| interface.medium) else {
            return Err(Error::Invalid);
        };
        if !P::DHCP || !P::IPV4 {
            return Err(Error::Invalid);
        }
        if self.0.iter().any(|(other, _)| *other == number) {
            return Err(Error::InUse);
        }
        ip.set_configuring(number, true);
        self.0.push((number, Client::new(now, address, secret.random(&alloc::format!("dhcp {number} {address}")))));
        Ok(())
    }

    /// A router says that DHCPv6 knows more than it: RFC 4861, 4.2, the bit O.
    pub fn start_v6<P: Parts>(&mut self, now: Instant, ip: &Ip<P>, secret: &Secret, number: u32) {
        if let Some(Medium::Ethernet(address)) = ip.interface(number).map(|interface| interface.medium)
            && self.1.iter().all(|(other, _)| *other != number)
        {
            let random = secret.random(&alloc::format!("dhcpv6 {number} {address}"));
            self.1.push((number, dhcpv6::Client::new(now, address, random)));
        }
    }

    /// Ends it: the address goes, the server is not told.
    pub fn stop<P: Parts>(&mut self, ip: &mut Ip<P>, number: u32) {
        if let Some(at) = self.0.iter().position(|(other, _)| *other == number) {
            let (_, client) = self.0.remove(at);
            ip.set_configuring(number, false);
            if let Some(lease) = client.lease() {
                ip.remove_address(number, lease.address.into());
            }
        }
    }

    /// Somebody else has the address that an interface has got: RFC 2131, 4.4.1.
    pub fn decline<P: Parts>(&mut self, now: Instant, ip: &mut Ip<P>, number: u32, address: Ipv4Addr) {
        let of_lease = |client: &Client| client.lease().is_some_and(|lease| lease.address == address);
        let client = self.0.iter_mut().find(|(other, client)| *other == number && of_lease(client));
        let Some(action) = client.and_then(|(_, client)| client.decline(now)) else { return };
        act(now, ip, number, Some(address), Action::Lost);
        act(now, ip, number, None, action);
    }

    /// What an interface has got.
    #[must_use]
    pub fn lease(&self, number: u32) -> Option<&Lease> {
        self.0.iter().find(|(other, _)| *other == number).and_then(|(_, client)| client.lease())
    }

    /// When something is due.
    #[must_use]
    #[inline]
    pub fn deadline(&self) -> Option<Instant> {
        if self.0.is_empty() && self.1.is_empty() { None } else { self.earliest() }
    }

    #[inline(never)]
    fn earliest(&self) -> Option<Instant> {
        let v6 = self.1.iter().map(|(_, client)| client.deadline());
        self.0.iter().filter_map(|(_, client)| client.deadline()).chain(v6).min()
    }

    /// Does what is due.
    pub fn poll<P: Parts>(&mut self, now: Instant, ip: &mut Ip<P>) {
        for (number, client) in &mut self.0 {
            let before = client.lease().map(|lease| lease.address);
            while let Some(action) = client.poll(now) {
                act(now, ip, *number, before, action);
            }
        }
        for (number, client) in &mut self.1 {
            if let Some(message) = client.poll(now) {
                send_v6(now, ip, *number, message);
            }
        }
    }

    /// Takes a datagram if it is for a client; `false` if it is for none.
    pub fn input<P: Parts>(&mut self, now: Instant, ip: &mut Ip<P>, arrived: &Arrived, packet: &Packet) -> bool {
        if !arrived.is_ipv4() {
            return self.input_v6(now, ip, arrived, packet);
        }
        let Some((number, client)) = self.0.iter_mut().find(|(number, _)| *number == arrived.interface) else {
            return false;
        };
        let Some(message) = payload(arrived, packet, SERVER, CLIENT) else { return false };
        let before = client.lease().map(|lease| lease.address);
        if let Some(action) = client.receive(now, &message) {
            act(now, ip, *number, before, action);
        }
        true
    }

    fn input_v6<P: Parts>(&mut self, now: Instant, ip: &mut Ip<P>, arrived: &Arrived, packet: &Packet) -> bool {
        let Some((number, client)) = self.1.iter_mut().find(|(number, _)| *number == arrived.interface) else {
            return false;
        };
        let Some(message) = payload(arrived, packet, dhcpv6::SERVER, dhcpv6::CLIENT) else { return false };
        if let Some(answer) = client.receive(now, &message) {
            // Twice the time: a server that is away for an hour takes nothing from us.
            ip.learn_servers(*number, &answer.servers, Some(now + answer.refresh * 2));
        }
        true
    }
}

/// What a datagram between two ports carries, nothing if its checksum is wrong; `None` if it is between others.
fn payload(arrived: &Arrived, packet: &Packet, from: u16, to: u16) -> Option<Vec<u8>> {
    let mut message = packet.clone();
    pull(&mut message, udp::HEADER);
    let header = udp::parse(message.front(), message.len()).ok()?;
    let (source, destination, length) = (header.source.get(), header.destination.get(), header.length.get());
    if (source, destination) != (from, to) {
        return None;
    }
    message.truncate(length.into());
    if !crate::udp::is_sound(arrived, &message) {
        return Some(Vec::new());
    }
    message.advance(udp::HEADER);
    Some(message.to_vec())
}

fn send_v6<P: Parts>(now: Instant, ip: &mut Ip<P>, number: u32, message: Vec<u8>) {
    let Ok(way) = ip.way(dhcpv6::SERVERS.into(), None, number) else { return };
    let payload = core::iter::once(Bytes::from(message)).collect();
    let packet = datagram((way.from, dhcpv6::CLIENT), (way.to, dhcpv6::SERVER), payload, false);
    let _ = ip.send(now, Departure::new(way, protocol::UDP, packet));
}

fn act<P: Parts>(now: Instant, ip: &mut Ip<P>, number: u32, before: Option<Ipv4Addr>, action: Action) {
    match action {
        Action::Send(message, from, to) => send(now, ip, number, message, from, to),
        Action::Bound(lease) => {
            ip.take_lease(now, number, &lease, before.filter(|before| *before != lease.address));
            ip.set_configuring(number, false);
        }
        Action::Lost => {
            if let Some(before) = before {
                ip.remove_address(number, before.into());
            }
            ip.drop_lease(number);
            ip.set_configuring(number, true);
        }
    }
}

fn send<P: Parts>(now: Instant, ip: &mut Ip<P>, number: u32, message: Vec<u8>, from: Ipv4Addr, to: Ipv4Addr) {
    let everyone = to.is_broadcast();
    let by_route = ip.way(to.into(), Some(from.into()), number).ok().filter(|_| !everyone);
    let (from, to) = (IpAddr::V4(from), IpAddr::V4(to));
    let way =
        by_route.unwrap_or(Way { interface: number, next: to, from, to, mtu: 1500, several: true, station: None });
    let payload = core::iter::once(Bytes::from(message)).collect();
    let packet = datagram((way.from, CLIENT), (to, SERVER), payload, false);
    let _ = ip.send(now, Departure::new(way, protocol::UDP, packet));
}
