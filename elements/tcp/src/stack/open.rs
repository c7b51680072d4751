//! Opening sockets: socket(2), bind(2), listen(2), accept(2), connect(2).

use alloc::{boxed::Box, collections::VecDeque, sync::Arc};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use packets::Instant;

use super::{
    Tcp,
    places::{Idle, Place, Socket},
};
use crate::{
    Error, Family, Handle, Network, Route, Settings,
    congestion::Congestion,
    connection::{Connection, Marks, Path},
    context::Context,
    listen::Listener,
    ports::{Bound, FIRST_FREE, LAST_FREE},
    tuple::{Tuple, is_unspecified, mapped},
};

impl Idle {
    /// One that nothing has been done with.
    pub fn new(handle: Handle, settings: &Arc<Settings>) -> Self {
        Self { handle, family: Family::V4, settings: settings.clone(), bound: None, error: None, deferred: None }
    }

    /// The address that stands for all of its family.
    fn wild(&self) -> Ipv6Addr {
        match self.family {
            Family::V4 => mapped(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            Family::V6 => Ipv6Addr::UNSPECIFIED,
        }
    }
}

impl<C: Congestion> Tcp<C> {
    /// socket(2).
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn open(&mut self, family: Family) -> Result<Handle, Error> {
        if self.places.all.sockets.len() >= self.shared.limits.sockets {
            return Err(Error::Full);
        }
        let settings = self.shared.settings.clone();
        Ok(self.place(|handle| Socket::Idle(Box::new(Idle { family, ..Idle::new(handle, &settings) }))))
    }

    fn idle(&mut self, handle: Handle) -> Result<&mut Idle, Error> {
        match self.places.socket_mut(handle)? {
            Socket::Idle(idle) => Ok(idle),
            Socket::Connection(connection) if connection.is(Marks::LINKED) => Err(Error::Connected),
            _ => Err(Error::Invalid),
        }
    }

    /// bind(2): port 0 is a free one.
    ///
    /// # Errors
    /// [`Error::InUse`], [`Error::NotAvailable`], [`Error::Family`]; [`Error::Invalid`] if it is bound.
    pub fn bind(&mut self, network: &dyn Network, handle: Handle, address: SocketAddr) -> Result<(), Error> {
        let idle = self.idle(handle)?;
        if idle.bound.is_some() {
            return Err(Error::Invalid);
        }
        if idle.family == Family::V4 && address.is_ipv6() {
            return Err(Error::Family);
        }
        let own = mapped(address.ip());
        if !is_unspecified(own) && !network.is_local(own.to_canonical()) {
            return Err(Error::NotAvailable);
        }
        self.bind_to(handle, own, address.port())
    }

    fn bind_to(&mut self, handle: Handle, address: Ipv6Addr, port: u16) -> Result<(), Error> {
        let random = self.shared.secrets.below(u32::from(LAST_FREE - FIRST_FREE) + 1);
        let port = if port == 0 { self.places.ports.free(random)? } else { port };
        let settings = self.places.socket(handle)?.settings();
        let bound = Bound {
            handle,
            address,
            only_v6: settings.only_v6,
            reuse_address: settings.reuse_address,
            reuse_port: settings.reuse_port,
            listening: false,
        };
        self.places.ports.bind(port, bound)?;
        self.idle(handle)?.bound = Some((address, port));
        Ok(())
    }

    /// listen(2). Again for a listener: its backlog changes.
    ///
    /// # Errors
    /// [`Error::InUse`]; [`Error::Invalid`] if it is connected.
    pub fn listen(&mut self, handle: Handle, backlog: u32) -> Result<(), Error> {
        if let Socket::Listener(listener) = self.places.socket_mut(handle)? {
            listener.backlog = backlog;
            return Ok(());
        }
        let idle = self.idle(handle).map_err(|_| Error::Invalid)?;
        let wild = idle.wild();
        if idle.bound.is_none() {
            self.bind_to(handle, wild, 0)?;
        }
        let Some((address, port)) = self.idle(handle)?.bound else { return Err(Error::Invalid) };
        self.places.ports.listen(port, handle)?;
        let idle = self.idle(handle)?;
        let (settings, family) = (idle.settings.clone(), idle.family);
        let listener = Listener {
            handle,
            family,
            address,
            port,
            settings,
            backlog,
            queue: VecDeque::new(),
            half_open: 0,
            cookie_sent: None,
            error: None,
            told: false,
        };
        *self.places.socket_mut(handle)? = Socket::Listener(Box::new(listener));
        Ok(())
    }

    /// accept(2): the connection and the other side's address.
    ///
    /// # Errors
    /// [`Error::WouldBlock`]; [`Error::Invalid`] if it does not listen.
    pub fn accept(&mut self, handle: Handle) -> Result<(Handle, SocketAddr), Error> {
        self.places.socket(handle)?;
        let listener = self.places.listener(handle).ok_or(Error::Invalid)?;
        let accepted = listener.queue.pop_front().ok_or(Error::WouldBlock)?;
        let connection = self.places.connection(accepted.index).ok_or(Error::Aborted)?;
        connection.marks.remove(Marks::UNACCEPTED);
        let remote = SocketAddr::new(connection.tuple.remote(), connection.tuple.remote_port);
        Ok((accepted, remote))
    }

    /// connect(2): `Ok` says that the SYN is on its way, or that it waits for the first write. The socket is ready for
    /// writing when it is connected, or when [`Tcp::take_error`] knows why not.
    ///
    /// # Errors
    /// [`Error::Unreachable`], [`Error::NotAvailable`] if no port is free, [`Error::Already`], [`Error::Connected`].
    pub fn connect(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        to: SocketAddr,
    ) -> Result<(), Error> {
        if self.defers(handle, to) {
            self.idle(handle)?.deferred = Some(to);
            return Ok(());
        }
        self.connect_by(now, network, handle, to, |connection, cx| {
            if connection.settings.fast_open {
                connection.open_fast(cx, &[]);
            }
        })
    }

    /// Connects, when `prepare` has said what the SYN shall carry.
    pub(super) fn connect_by(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        to: SocketAddr,
        prepare: impl FnOnce(&mut Connection<C>, &mut Context<'_>),
    ) -> Result<(), Error> {
        self.recycle(handle)?;
        let idle = self.idle(handle)?;
        let (family, settings, bound) = (idle.family, idle.settings.clone(), idle.bound);
        if family == Family::V4 && to.is_ipv6() {
            return Err(Error::Family);
        }
        let to = loopback_for_nobody(to);
        let chosen = bound.map(|bound| bound.0).filter(|address| !is_unspecified(*address));
        let from = chosen.map(|address| address.to_canonical());
        let route = network.route(to.ip().to_canonical(), from, settings.interface).map_err(Error::Unreachable)?;
        let tuple = self.choose_tuple(now, &route, bound.map(|bound| bound.1), to)?;
        let mut first = self.shared.secrets.first_sequence(now, &tuple);
        if let Some(Place::TimeWait(old)) = self.places.find(&self.shared.secrets, &tuple) {
            // RFC 6191, 2: behind all of the old connection's.
            if let Some(entry) = self.places.all.time_waits.get(old) {
                first = first.later(entry.next + 65_537);
            }
            self.end_time_wait(old);
        }
        let mut connection = Connection::new(tuple, handle, settings, Path::from(route), first, &self.shared.limits);
        connection.marks.set(Marks::OWNS_PORT, bound.is_some());
        *self.places.socket_mut(handle)? = Socket::Connection(Box::new(connection));
        self.link(handle.index);
        self.with(now, network, handle.index, |connection, cx| {
            prepare(connection, cx);
            connection.begin(cx);
        });
        if !self.meet(now, network, handle.index) {
            self.with(now, network, handle.index, |connection, cx| connection.send_syn(cx));
        }
        Ok(())
    }

    /// A connection that has failed or is over may connect again.
    fn recycle(&mut self, handle: Handle) -> Result<(), Error> {
        let Socket::Connection(connection) = self.places.socket_mut(handle)? else { return Ok(()) };
        if connection.is(Marks::LINKED) {
            return Err(if connection.is_synchronized() { Error::Connected } else { Error::Already });
        }
        if let Some(error) = connection.error.take() {
            return Err(error);
        }
        if connection.is(Marks::OPENED) {
            return Err(Error::Connected);
        }
        let held = connection.held();
        let bound = connection.is(Marks::OWNS_PORT).then_some((connection.tuple.local, connection.tuple.local_port));
        let family = if connection.tuple.is_v4() { Family::V4 } else { Family::V6 };
        let idle = Idle { handle, family, settings: connection.settings.clone(), bound, error: None, deferred: None };
        self.shared.memory -= held;
        *self.places.socket_mut(handle)? = Socket::Idle(Box::new(idle));
        Ok(())
    }

    /// The four numbers of a new connection. A port is looked for from an offset that only we know (RFC 6056, 3.3.3).
    fn choose_tuple(&mut self, now: Instant, route: &Route, port: Option<u16>, to: SocketAddr) -> Result<Tuple, Error> {
        let from = SocketAddr::new(route.source, port.unwrap_or(0));
        let mut tuple = Tuple::new(from, to);
        if port.is_some() {
            return if self.is_free(now, &tuple) { Ok(tuple) } else { Err(Error::NotAvailable) };
        }
        self.chosen = self.chosen.wrapping_add(1 + self.shared.secrets.below(8));
        let offset = self.shared.secrets.port_offset(&tuple).wrapping_add(self.chosen);
        let count = u32::from(LAST_FREE - FIRST_FREE) + 1;
        for step in 0..count {
            tuple.local_port = FIRST_FREE + (offset.wrapping_add(step) % count) as u16;
            if !self.places.ports.is_bound(tuple.local_port) && self.is_free(now, &tuple) {
                return Ok(tuple);
            }
        }
        Err(Error::NotAvailable)
    }

    /// Whether a tuple may be used. One in TIME-WAIT may after a second, if timestamps tell old segments from new.
    fn is_free(&self, now: Instant, tuple: &Tuple) -> bool {
        match self.places.find(&self.shared.secrets, tuple) {
            None => true,
            Some(Place::TimeWait(index)) => self
                .places
                .all
                .time_waits
                .get(index)
                .is_some_and(|entry| entry.timestamps && (now.as_millis() as u32).wrapping_sub(entry.since) > 1000),
            Some(_) => false,
        }
    }
}

/// Linux takes an address of nobody for this machine's own.
fn loopback_for_nobody(to: SocketAddr) -> SocketAddr {
    match to.ip() {
        IpAddr::V4(address) if address.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), to.port()),
        IpAddr::V6(address) if address.is_unspecified() => SocketAddr::new(Ipv6Addr::LOCALHOST.into(), to.port()),
        _ => to,
    }
}
