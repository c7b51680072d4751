//! UDP: RFC 768, RFC 8085, and sockets as udp(7) has them.
//!
//! A datagram finds its socket by its port, where a port has one socket, as most have. Else it takes at most four looks
//! into a hash table: by both ends, by our address and port, by port alone, and by port among the sockets of both
//! families.
//!
//! UDP-Lite (RFC 3828) is the same with ports of its own, and with checksums that may cover less than all: [`lite`].

mod bind;
mod lite;
mod near;
mod receive;
mod send;
mod socket;
mod told;

use alloc::{
    collections::{BTreeMap, VecDeque},
    vec::Vec,
};
use core::net::{IpAddr, SocketAddr};

use packets::{Head, Instant, Packet, Parts as Stretches};
use smallvec::SmallVec;

use crate::{
    complaint::Complaint,
    error::{Error, Failure},
    ip::Ip,
    parts::Parts,
    secret::{Keyed, Random, Secret, Table},
    slab::{Handle, Slab},
    statistics::UdpStatistics,
};
pub(crate) use bind::is_broadcast;
pub use receive::is_sound;
pub use send::{Sending, datagram};
pub use socket::{Datagram, Family, Settings};
use socket::{OVERHEAD, Socket};

/// Sockets at once.
pub const SOCKETS: usize = 1 << 20;
/// The longest payload over IPv4; over IPv6 20 bytes more would fit, but no program expects it.
pub const LONGEST: usize = 65_507;
/// Groups that one socket joins at most: Linux' `igmp_max_memberships`.
pub const MEMBERSHIPS: usize = 20;

/// Which address of ours a socket takes datagrams for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Local {
    Address(IpAddr),
    /// All of IPv4.
    AnyV4,
    /// All of IPv6, and those of IPv4 unless the socket does not want them.
    AnyV6,
}

/// A port of UDP, or one of UDP-Lite, which are others: [`port_of`].
type Port = u32;
/// Where datagrams go: our address and port, and the other's if the socket is connected.
type Place = (Local, Port, Option<SocketAddr>);
/// Sockets of one place, in the order in which they came.
type Here = SmallVec<[Handle; 1]>;

/// All sockets of UDP.
#[derive(Debug)]
pub struct Udp {
    sockets: Slab<Socket>,
    places: Table<Place, Here>,
    /// By port alone: nobody outside chooses these, so no hash is needed.
    ports: BTreeMap<Port, Here>,
    events: Vec<Handle>,
    /// Somebody sees all packets (raw(7)): none is saved.
    watched: bool,
    random: Random,
    spread: Keyed,
    statistics: UdpStatistics,
    /// Of UDP-Lite.
    lite: UdpStatistics,
}

impl Udp {
    /// None yet.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        Self {
            sockets: Slab::new(SOCKETS),
            places: secret.table("udp places"),
            ports: BTreeMap::new(),
            events: Vec::new(),
            watched: false,
            random: secret.random("udp ports"),
            spread: secret.key("udp spread"),
            statistics: UdpStatistics::default(),
            lite: UdpStatistics::default(),
        }
    }

    /// socket(2).
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn open(&mut self, family: Family) -> Result<Handle, Error> {
        self.sockets.insert(Socket::new(family, false)).ok_or(Error::Full)
    }

    /// The same for one of UDP-Lite.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn open_lite(&mut self, family: Family) -> Result<Handle, Error> {
        self.sockets.insert(Socket::new(family, true)).ok_or(Error::Full)
    }

    /// Somebody wants to see all packets, or nobody does: none is saved then.
    pub const fn set_watched(&mut self, watched: bool) {
        self.watched = watched;
    }

    /// close(2). What waits in it is lost, its groups are left.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn close<P: Parts>(&mut self, now: Instant, ip: &mut Ip<P>, handle: Handle) -> Result<(), Error> {
        self.unplace(handle);
        let socket = self.sockets.remove(handle).ok_or(Error::Stale)?;
        if let Some((_, port)) = socket.local
            && let Some(here) = self.ports.get_mut(&port_of(port, socket.lite))
        {
            here.retain(|other| *other != handle);
            if here.is_empty() {
                self.ports.remove(&port_of(port, socket.lite));
            }
        }
        for (interface, group) in socket.groups {
            ip.leave(now, interface, group);
        }
        Ok(())
    }

    /// Its options.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn settings(&self, handle: Handle) -> Result<&Settings, Error> {
        self.socket(handle).map(|socket| &socket.settings)
    }

    /// Its options, to be changed. Those for binding count from the next bind on.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn settings_mut(&mut self, handle: Handle) -> Result<&mut Settings, Error> {
        self.socket_mut(handle).map(|socket| &mut socket.settings)
    }

    /// Joins a group by an interface: `IP_ADD_MEMBERSHIP`.
    ///
    /// # Errors
    /// [`Error::InUse`] if it is joined already, [`Error::Full`], [`Error::Invalid`], [`Error::Stale`].
    pub fn join<P: Parts>(
        &mut self,
        now: Instant,
        ip: &mut Ip<P>,
        handle: Handle,
        interface: u32,
        group: IpAddr,
    ) -> Result<(), Error> {
        let socket = self.socket_mut(handle)?;
        if socket.groups.contains(&(interface, group)) {
            return Err(Error::InUse);
        }
        if socket.groups.len() >= MEMBERSHIPS {
            return Err(Error::Full);
        }
        ip.join(now, interface, group)?;
        socket.groups.push((interface, group));
        Ok(())
    }

    /// Leaves a group: `IP_DROP_MEMBERSHIP`.
    ///
    /// # Errors
    /// [`Error::NotAvailable`] if it was not joined, [`Error::Stale`].
    pub fn leave<P: Parts>(
        &mut self,
        now: Instant,
        ip: &mut Ip<P>,
        handle: Handle,
        interface: u32,
        group: IpAddr,
    ) -> Result<(), Error> {
        let socket = self.socket_mut(handle)?;
        let at = socket.groups.iter().position(|joined| *joined == (interface, group)).ok_or(Error::NotAvailable)?;
        socket.groups.remove(at);
        ip.leave(now, interface, group);
        Ok(())
    }

    /// Its own address, once it has one: getsockname(2).
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn local(&self, handle: Handle) -> Result<SocketAddr, Error> {
        let socket = self.socket(handle)?;
        Ok(SocketAddr::new(socket.address(), socket.local.map_or(0, |(_, port)| port)))
    }

    /// The other's, if it is connected: getpeername(2).
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn remote(&self, handle: Handle) -> Result<Option<SocketAddr>, Error> {
        self.socket(handle).map(|socket| socket.remote)
    }

    /// The next datagram: recvmsg(2). One that is too long for the caller's memory is the caller's to cut.
    ///
    /// # Errors
    /// [`Error::WouldBlock`], [`Error::Told`] what ICMP said about one sent before, [`Error::Stale`].
    pub fn receive(&mut self, handle: Handle) -> Result<Datagram, Error> {
        let socket = self.socket_mut(handle)?;
        if let Some(failure) = socket.error.take() {
            return Err(Error::Told(failure));
        }
        let datagram = socket.queue.pop_front().ok_or(Error::WouldBlock)?;
        socket.queued -= datagram.cost();
        Ok(datagram)
    }

    /// As [`Udp::receive`], for who wants its bytes, and is told the rest where it lies, with their number: to move a
    /// whole datagram costs more than all else.
    ///
    /// # Errors
    /// As [`Udp::receive`]'s.
    #[inline]
    pub fn receive_payload(
        &mut self,
        handle: Handle,
        tell: impl FnOnce(&Datagram, usize),
    ) -> Result<(Head, Option<Stretches>), Error> {
        let socket = self.socket_mut(handle)?;
        if let Some(failure) = socket.error.take() {
            return Err(Error::Told(failure));
        }
        let Some(datagram) = socket.queue.front_mut() else { return Err(Error::WouldBlock) };
        let length = datagram.len();
        socket.queued -= length + OVERHEAD;
        tell(datagram, length);
        let Packet { head, parts, .. } = &mut datagram.payload;
        let head = core::mem::take(head);
        let parts = (!parts.is_empty()).then(|| core::mem::take(parts));
        // Nothing is left in it that has memory, and to be dropped it would be moved.
        core::mem::forget(socket.queue.pop_front());
        Ok((head, parts))
    }

    /// The next datagram, which stays: `MSG_PEEK`.
    ///
    /// # Errors
    /// As [`Udp::receive`]'s, but an error stays.
    pub fn peek(&self, handle: Handle) -> Result<&Datagram, Error> {
        self.socket(handle)?.queue.front().ok_or(Error::WouldBlock)
    }

    /// What became of a datagram of its own: `MSG_ERRQUEUE`.
    ///
    /// # Errors
    /// [`Error::WouldBlock`], [`Error::Stale`].
    pub fn take_complaint(&mut self, handle: Handle) -> Result<Complaint, Error> {
        self.socket_mut(handle)?.complaints.take().ok_or(Error::WouldBlock)
    }

    /// Datagrams that wait, and whether something else is to be told: an error, or what ICMP said.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn readiness(&self, handle: Handle) -> Result<(usize, bool), Error> {
        let told = |socket: &Socket| socket.error.is_some() || !socket.complaints.is_empty();
        self.socket(handle).map(|socket| (socket.queue.len(), told(socket)))
    }

    /// Datagrams that wait, and those that were lost for want of room.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn waiting(&self, handle: Handle) -> Result<(usize, u64), Error> {
        self.socket(handle).map(|socket| (socket.queue.len(), socket.lost))
    }

    /// Its error, once: `SO_ERROR`.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn take_error(&mut self, handle: Handle) -> Result<Option<Failure>, Error> {
        self.socket_mut(handle).map(|socket| socket.error.take())
    }

    /// Adds the sockets that have got something since the last call, each once.
    pub fn take_events(&mut self, to: &mut Vec<Handle>) {
        self.each_event(|handle| to.push(handle));
    }

    /// Whether sockets have got something since then.
    #[must_use]
    pub const fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// As [`Udp::take_events`], one by one.
    #[inline]
    pub fn each_event(&mut self, mut take: impl FnMut(Handle)) {
        for handle in self.events.drain(..) {
            if let Some(socket) = self.sockets.get_mut(handle) {
                socket.told = false;
                take(handle);
            }
        }
    }

    /// Counts since the start.
    #[must_use]
    pub const fn statistics(&self) -> &UdpStatistics {
        &self.statistics
    }

    /// Counts of UDP-Lite since the start.
    #[must_use]
    pub const fn lite_statistics(&self) -> &UdpStatistics {
        &self.lite
    }

    /// All sockets of UDP, or of UDP-Lite, for `/proc/net/udp`: handle, own and other end, bytes that wait, datagrams
    /// lost.
    pub fn list(&self, lite: bool) -> impl Iterator<Item = (Handle, SocketAddr, Option<SocketAddr>, usize, u64)> {
        self.sockets.iter().filter(move |(_, socket)| socket.lite == lite).map(|(handle, socket)| {
            let local = SocketAddr::new(socket.address(), socket.local.map_or(0, |(_, port)| port));
            (handle, local, socket.remote, socket.queued, socket.lost)
        })
    }

    fn socket(&self, handle: Handle) -> Result<&Socket, Error> {
        self.sockets.get(handle).ok_or(Error::Stale)
    }

    fn socket_mut(&mut self, handle: Handle) -> Result<&mut Socket, Error> {
        self.sockets.get_mut(handle).ok_or(Error::Stale)
    }

    /// Something has happened to a socket.
    fn wake(&mut self, handle: Handle) {
        if let Some(socket) = self.sockets.get_mut(handle)
            && !core::mem::replace(&mut socket.told, true)
        {
            self.events.push(handle);
        }
    }
}

/// A port as [`Udp`] knows it.
const fn port_of(port: u16, lite: bool) -> Port {
    port as u32 | (lite as u32) << 16
}

/// The queue of a socket.
type Queue = VecDeque<Datagram>;
