//! Addresses and ports: bind(2), connect(2), and Linux' rules about sharing them.

use core::net::{IpAddr, SocketAddr};

use packets::Instant;

use super::{Local, Place, Udp, port_of, socket::Socket};
use crate::{error::Error, ip::Ip, parts::Parts, slab::Handle};

/// Ports that are given to who asks for none: Linux' `ip_local_port_range`.
const EPHEMERAL: core::ops::Range<u16> = 32_768..61_000;
/// How many are drawn before all are looked at in turn: RFC 6056, 3.3.2.
const DRAWS: usize = 32;

impl Udp {
    /// bind(2): port 0 is a free one, that nobody can guess (RFC 6056).
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is bound, [`Error::InUse`], [`Error::NotAvailable`], [`Error::Family`],
    /// [`Error::Stale`].
    pub fn bind<P: Parts>(&mut self, ip: &Ip<P>, handle: Handle, address: SocketAddr) -> Result<(), Error> {
        let socket = self.socket(handle)?;
        let to = address.ip().to_canonical();
        if socket.local.is_some() {
            return Err(Error::Invalid);
        }
        if !socket.speaks(to) {
            return Err(Error::Family);
        }
        let local = match to {
            // 0.0.0.0 as a mapped address means IPv4 alone; "::" means what the family does.
            _ if to.is_unspecified() && to.is_ipv4() => Local::AnyV4,
            _ if to.is_unspecified() => socket.any(),
            _ if ip.has_address(to) || to.is_multicast() || is_broadcast(ip, to) => Local::Address(to),
            _ => return Err(Error::NotAvailable),
        };
        let port = match address.port() {
            0 => self.free_port(handle, local)?,
            port if self.conflicts(handle, local, port) => return Err(Error::InUse),
            port => port,
        };
        self.settle(handle, local, port)?;
        self.socket_mut(handle)?.bound = local != self.socket(handle)?.any();
        Ok(())
    }

    /// connect(2): datagrams go there, and come from there only.
    ///
    /// # Errors
    /// [`Error::Unreachable`] and others of [`Ip::way`]; [`Error::Family`], [`Error::Stale`].
    pub fn connect<P: Parts>(
        &mut self,
        now: Instant,
        ip: &mut Ip<P>,
        handle: Handle,
        to: SocketAddr,
    ) -> Result<(), Error> {
        ip.set_time(now);
        let socket = self.socket(handle)?;
        let remote = SocketAddr::new(to.ip().to_canonical(), to.port());
        if !socket.speaks(remote.ip()) {
            return Err(Error::Family);
        }
        let from = socket.bound.then(|| socket.address());
        let way = ip.way(remote.ip(), from, socket.settings.interface)?;
        self.bind_any(handle)?;
        self.unplace(handle);
        let socket = self.socket_mut(handle)?;
        let port = socket.local.map_or(0, |(_, port)| port);
        (socket.local, socket.remote) = (Some((Local::Address(way.from), port)), Some(remote));
        self.place(handle);
        Ok(())
    }

    /// Ends a connection: connect(2) to `AF_UNSPEC`.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn disconnect(&mut self, handle: Handle) -> Result<(), Error> {
        self.unplace(handle);
        let socket = self.socket_mut(handle)?;
        socket.remote = None;
        if let Some((local, _)) = &mut socket.local
            && !socket.bound
        {
            *local = if socket.family == super::Family::V4 { Local::AnyV4 } else { Local::AnyV6 };
        }
        self.place(handle);
        Ok(())
    }

    /// Gives a socket a port if it has none.
    pub(super) fn bind_any(&mut self, handle: Handle) -> Result<(), Error> {
        let socket = self.socket(handle)?;
        if socket.local.is_some() {
            return Ok(());
        }
        let local = socket.any();
        let port = self.free_port(handle, local)?;
        self.settle(handle, local, port)
    }

    fn settle(&mut self, handle: Handle, local: Local, port: u16) -> Result<(), Error> {
        let socket = self.socket_mut(handle)?;
        socket.local = Some((local, port));
        let port = port_of(port, socket.lite);
        self.ports.entry(port).or_default().push(handle);
        self.place(handle);
        Ok(())
    }

    fn free_port(&mut self, handle: Handle, local: Local) -> Result<u16, Error> {
        let lite = self.socket(handle)?.lite;
        let count = u64::from(EPHEMERAL.end - EPHEMERAL.start);
        let mut port = EPHEMERAL.start;
        for _ in 0..DRAWS {
            port = EPHEMERAL.start + self.random.below(count) as u16;
            if !self.ports.contains_key(&port_of(port, lite)) {
                return Ok(port);
            }
        }
        let mut others = (port..EPHEMERAL.end).chain(EPHEMERAL.start..port);
        others.find(|&port| !self.conflicts(handle, local, port)).ok_or(Error::NotAvailable)
    }

    /// Whether an address and port are another's who does not share them.
    fn conflicts(&self, handle: Handle, local: Local, port: u16) -> bool {
        let Ok(socket) = self.socket(handle) else { return true };
        let others =
            self.ports.get(&port_of(port, socket.lite)).into_iter().flatten().filter(|other| **other != handle);
        others.filter_map(|other| self.sockets.get(*other)).any(|other| {
            let (one, two) = (&socket.settings, &other.settings);
            let apart = one.interface != 0 && two.interface != 0 && one.interface != two.interface;
            let shared = one.reuse_address && two.reuse_address || one.reuse_port && two.reuse_port;
            !apart && !shared && other.local.is_some_and(|(its, _)| overlap(socket, local, other, its))
        })
    }

    fn place_of(&self, handle: Handle) -> Option<Place> {
        let socket = self.sockets.get(handle)?;
        let (local, port) = socket.local?;
        Some((local, port_of(port, socket.lite), socket.remote))
    }

    fn place(&mut self, handle: Handle) {
        if let Some(place) = self.place_of(handle) {
            self.places.entry(place).or_default().push(handle);
        }
    }

    pub(super) fn unplace(&mut self, handle: Handle) {
        let Some(place) = self.place_of(handle) else { return };
        if let Some(here) = self.places.get_mut(&place) {
            here.retain(|other| *other != handle);
            if here.is_empty() {
                self.places.remove(&place);
            }
        }
    }
}

/// Whether two sockets would get the same datagrams.
fn overlap(one: &Socket, local: Local, other: &Socket, its: Local) -> bool {
    let takes = |socket: &Socket, local: Local, v4: bool| match local {
        Local::Address(address) => address.is_ipv4() == v4,
        Local::AnyV4 => v4,
        Local::AnyV6 => !v4 || !socket.settings.only_v6,
    };
    match (local, its) {
        (Local::Address(one), Local::Address(other)) => one == other,
        _ => [true, false].into_iter().any(|v4| takes(one, local, v4) && takes(other, its, v4)),
    }
}

/// Whether an address is everyone's on a link of ours.
pub(crate) fn is_broadcast<P: Parts>(ip: &Ip<P>, address: IpAddr) -> bool {
    let IpAddr::V4(address) = address else { return false };
    let interfaces = ip.numbers().filter_map(|number| ip.interface(number));
    let mut prefixes = interfaces.flat_map(|interface| interface.addresses().iter().map(|assigned| assigned.prefix));
    address.is_broadcast() || prefixes.any(|prefix| prefix.broadcast() == Some(address))
}
