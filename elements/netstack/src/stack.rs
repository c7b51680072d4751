//! The composition: IP with all that is above.

use alloc::vec::Vec;

use packets::{Instant, Packet, ipv4::protocol};
use tcp::Tcp;

use crate::{
    configuration::Configuration,
    delivery::{Cast, Delivery, Told},
    dhcp::Lease,
    error::Error,
    ip::Ip,
    parts::{Everything, Parts},
    raw::Raw,
    secret::Secret,
    udp::Udp,
};

/// A whole stack: what a machine's network interfaces and its sockets have between them.
///
/// Its parts are fields, so that a call of one can take another: `stack.udp.send(now, &mut stack.ip, ..)`. Whoever
/// drives it gives it what devices have received ([`Stack::receive`]), comes again when something is due
/// ([`Stack::deadline`], [`Stack::poll`]), and behind either takes what is to be sent ([`Stack::outgoing`]), and which
/// sockets have got something ([`Udp::take_events`] and others).
#[derive(Debug)]
pub struct Stack<P: Parts = Everything> {
    /// Interfaces, addresses, routes.
    pub ip: Ip<P>,
    /// UDP.
    pub udp: Udp,
    /// TCP.
    pub tcp: Tcp<P::Congestion>,
    /// Raw and ping sockets.
    pub raw: Raw,
    configuration: Configuration,
    secret: Secret,
}

impl<P: Parts> Stack<P> {
    /// Without interfaces. Nobody else may know the secret.
    #[must_use]
    pub fn new(secret: [u8; 32]) -> Self {
        Self::with_limits(secret, tcp::Limits::default())
    }

    /// The same with limits for TCP.
    #[must_use]
    pub fn with_limits(secret: [u8; 32], limits: tcp::Limits) -> Self {
        let secret = Secret::new(secret);
        Self {
            ip: Ip::new(secret),
            udp: Udp::new(&secret),
            tcp: Tcp::new(secret.part("tcp"), limits),
            raw: Raw::new(&secret),
            configuration: Configuration::default(),
            secret,
        }
    }

    /// For a machine that has so many bytes for everything (`usize::MAX`: more than enough): what peers can fill
    /// follows them.
    #[must_use]
    pub fn of_memory(secret: [u8; 32], memory: usize) -> Self {
        let mut stack = Self::with_limits(secret, tcp::Limits::of_memory(memory));
        stack.ip.set_limit(memory / 16);
        stack
    }

    /// Begins to ask for an address of IPv4 on an interface.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is no Ethernet, [`Error::InUse`] if it asks already.
    pub fn start_dhcp(&mut self, now: Instant, interface: u32) -> Result<(), Error> {
        self.configuration.start(now, &mut self.ip, &self.secret, interface)
    }

    /// Ends that: the address goes.
    pub fn stop_dhcp(&mut self, interface: u32) {
        self.configuration.stop(&mut self.ip, interface);
    }

    /// What DHCP has got for an interface.
    #[must_use]
    pub fn lease(&self, interface: u32) -> Option<&Lease> {
        self.configuration.lease(interface)
    }

    /// Takes what an interface has received, and leaves the burst empty.
    pub fn receive(&mut self, now: Instant, interface: u32, burst: &mut Vec<Packet>) {
        let several = P::TCP && burst.len() > 1;
        if several {
            self.tcp.gather();
        }
        for packet in burst.iter_mut() {
            if self.take_usual_packet(now, interface, packet) {
                continue;
            }
            if let Some(delivery) = self.ip.input(now, interface, packet) {
                self.deliver(now, &delivery, packet);
            }
        }
        burst.clear();
        if several {
            self.tcp.gathered(now, &mut self.ip);
        }
        self.turn_round(now);
    }

    /// Does what is due.
    pub fn poll(&mut self, now: Instant) {
        self.ip.poll(now);
        if P::TCP {
            self.tcp.poll(now, &mut self.ip);
        }
        if P::DHCP {
            self.configuration.poll(now, &mut self.ip);
        }
        self.turn_round(now);
        for told in self.ip.take_told() {
            self.tell(now, &told);
        }
    }

    /// When [`Stack::poll`] has something to do; `None`: not before something is received or sent. It may be too early,
    /// never too late. Ask again behind each call.
    #[must_use]
    #[inline(always)]
    pub fn deadline(&self) -> Option<Instant> {
        let tcp = if P::TCP { self.tcp.earliest() } else { Instant::NEVER };
        let earliest = self.ip.earliest().min(tcp);
        let dhcp = if P::DHCP { self.configuration.deadline() } else { None };
        dhcp.map_or(earliest, |dhcp| earliest.min(dhcp)).unless_never()
    }

    /// Whether sockets have got something since somebody last asked which.
    #[must_use]
    #[inline]
    pub const fn has_events(&self) -> bool {
        P::TCP && self.tcp.has_events() || P::UDP && self.udp.has_events() || P::RAW && self.raw.has_events()
    }

    /// What waits for the device of an interface, the first packet first: the device takes packets out of it.
    pub fn outgoing(&mut self, interface: u32) -> Option<&mut Vec<Packet>> {
        self.ip.outgoing(interface)
    }

    /// What we have sent to groups that we are in, or to everyone.
    fn turn_round(&mut self, now: Instant) {
        while P::DHCP
            && let Some((number, address)) = self.ip.take_conflict()
        {
            self.configuration.decline(now, &mut self.ip, number, address);
        }
        while P::DHCP
            && P::IPV6
            && let Some(number) = self.ip.take_other_configuration()
        {
            self.configuration.start_v6(now, &self.ip, &self.secret, number);
        }
        if !self.ip.has_looped() {
            return;
        }
        for (interface, mut packet) in self.ip.take_looped() {
            if let Some(delivery) = self.ip.input_looped(now, interface, &mut packet) {
                self.deliver(now, &delivery, &mut packet);
            }
        }
    }

    fn deliver(&mut self, now: Instant, delivery: &Delivery, packet: &mut Packet) {
        let Delivery { arrived, protocol, told_at, told } = delivery;
        let protocol = *protocol;
        if let Some(told) = told {
            self.tell(now, told);
        }
        let raw = P::RAW && arrived.cast != Cast::Configuring && self.raw.input(now, arrived, protocol, packet);
        match protocol {
            protocol::UDP if P::DHCP && self.configuration.input(now, &mut self.ip, arrived, packet) => {}
            _ if arrived.cast == Cast::Configuring => {}
            protocol::UDP if P::UDP => self.udp.input(&mut self.ip, arrived, packet),
            protocol::UDP_LITE if P::UDP => self.udp.input_lite(&mut self.ip, arrived, packet),
            protocol::TCP if P::TCP => {
                // RFC 9293, 3.10.7.2 and RFC 1122, 4.2.3.10: what was for several is nobody's.
                if arrived.cast == Cast::Ours && !arrived.for_several {
                    self.tcp.take_in(now, &mut self.ip, &arrived.for_tcp(), packet);
                }
            }
            protocol::ICMP | protocol::ICMPV6 | protocol::IGMP => {}
            _ if raw => {}
            _ => self.ip.unknown_protocol(arrived, *told_at, packet),
        }
    }

    fn tell(&mut self, now: Instant, told: &Told) {
        match told.protocol {
            protocol::UDP | protocol::UDP_LITE if P::UDP => self.udp.told(now, &mut self.ip, told),
            protocol::ICMP | protocol::ICMPV6 if P::RAW => self.raw.told(now, &mut self.ip, told),
            protocol::TCP if P::TCP => {
                if let Some(what) = told.failure.for_tcp(told.from.is_ipv4()) {
                    self.tcp.told(now, &mut self.ip, told.from, told.to, &told.transport, what);
                }
            }
            _ => {}
        }
    }
}
