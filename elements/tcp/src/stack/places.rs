//! Where all things are, and how they are found.

use alloc::{boxed::Box, sync::Arc};
use core::net::{Ipv6Addr, SocketAddr};

use crate::{
    Error, Family, Handle, Settings,
    connection::{Connection, Marks},
    listen::{HalfOpen, Listener},
    ports::Ports,
    secrets::Secrets,
    table::{Index, NONE, Slab, Things},
    time_wait::TimeWait,
    tuple::Tuple,
};

/// A socket.
#[derive(Debug)]
pub enum Socket<C> {
    /// It has neither listened nor connected, or is free to do it again.
    Idle(Box<Idle>),
    Listener(Box<Listener>),
    Connection(Box<Connection<C>>),
}

/// One that was opened, and perhaps bound.
#[derive(Debug)]
pub struct Idle {
    pub handle: Handle,
    pub family: Family,
    pub settings: Arc<Settings>,
    pub bound: Option<(Ipv6Addr, u16)>,
    pub error: Option<Error>,
    /// Whom the first write connects to.
    pub deferred: Option<SocketAddr>,
}

impl<C> Socket<C> {
    pub fn handle(&self) -> Handle {
        match self {
            Self::Idle(idle) => idle.handle,
            Self::Listener(listener) => listener.handle,
            Self::Connection(connection) => connection.handle,
        }
    }

    pub fn settings(&self) -> &Arc<Settings> {
        match self {
            Self::Idle(idle) => &idle.settings,
            Self::Listener(listener) => &listener.settings,
            Self::Connection(connection) => &connection.settings,
        }
    }

    pub fn settings_mut(&mut self) -> &mut Arc<Settings> {
        match self {
            Self::Idle(idle) => &mut idle.settings,
            Self::Listener(listener) => &mut listener.settings,
            Self::Connection(connection) => &mut connection.settings,
        }
    }
}

/// What a tuple leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Connection(u32),
    HalfOpen(u32),
    TimeWait(u32),
}

/// The two highest bits of a number in the index say what it is.
const KIND: u32 = 30;

impl Place {
    const fn code(self) -> u32 {
        match self {
            Self::Connection(index) => index,
            Self::HalfOpen(index) => 1 << KIND | index,
            Self::TimeWait(index) => 2 << KIND | index,
        }
    }

    const fn of(code: u32) -> Self {
        let index = code & ((1 << KIND) - 1);
        match code >> KIND {
            0 => Self::Connection(index),
            1 => Self::HalfOpen(index),
            _ => Self::TimeWait(index),
        }
    }
}

/// All things, each in a slab of its kind, and one index over all that have a tuple.
#[derive(Debug)]
pub struct Places<C> {
    pub all: All<C>,
    pub ports: Ports,
    pub(super) index: Index,
    /// Connections that were found of late: most segments are of one of these.
    recent: Recent,
}

/// Places of [`Recent`], a power of two.
const RECENT: usize = 256;

/// Sockets by a hash that costs nothing, and that everybody can foresee: whoever makes tuples collide only has them
/// looked for in the index again.
#[derive(Debug)]
struct Recent([u32; RECENT]);

impl Recent {
    /// The highest bits of a product, for systems give out even ports first. Both ends of a connection within this
    /// machine speak in turn, so the two have different places.
    const fn place(tuple: &Tuple) -> usize {
        let ports = (tuple.local_port as u32) << 16 | tuple.remote_port as u32;
        (ports.wrapping_mul(0x9e37_79b1) >> (u32::BITS - RECENT.ilog2())) as usize
    }
}

#[derive(Debug)]
pub struct All<C> {
    pub sockets: Slab<Socket<C>>,
    pub half_open: Slab<HalfOpen>,
    pub time_waits: Slab<TimeWait>,
}

/// The things, with the key that their hashes want.
struct Keyed<'a, C>(&'a mut All<C>, &'a Secrets);

impl<C> Default for Places<C> {
    fn default() -> Self {
        let all = All { sockets: Slab::default(), half_open: Slab::default(), time_waits: Slab::default() };
        Self { all, ports: Ports::default(), index: Index::default(), recent: Recent([NONE; RECENT]) }
    }
}

impl<C> All<C> {
    /// The tuple of a thing in the index, and its link.
    fn at(&self, code: u32) -> Option<(&Tuple, u32)> {
        match Place::of(code) {
            Place::Connection(index) => match self.sockets.get(index)? {
                Socket::Connection(connection) => Some((&connection.tuple, connection.link)),
                _ => None,
            },
            Place::HalfOpen(index) => self.half_open.get(index).map(|entry| (&entry.tuple, entry.link)),
            Place::TimeWait(index) => self.time_waits.get(index).map(|entry| (&entry.tuple, entry.link)),
        }
    }

    fn link(&mut self, code: u32) -> Option<&mut u32> {
        match Place::of(code) {
            Place::Connection(index) => match self.sockets.get_mut(index)? {
                Socket::Connection(connection) => Some(&mut connection.link),
                _ => None,
            },
            Place::HalfOpen(index) => self.half_open.get_mut(index).map(|entry| &mut entry.link),
            Place::TimeWait(index) => self.time_waits.get_mut(index).map(|entry| &mut entry.link),
        }
    }
}

impl<C> Things for Keyed<'_, C> {
    fn hash(&self, thing: u32) -> u32 {
        self.0.at(thing).map_or(0, |(tuple, _)| self.1.place(tuple))
    }

    fn next(&self, thing: u32) -> u32 {
        self.0.at(thing).map_or(NONE, |(_, link)| link)
    }

    fn set_next(&mut self, thing: u32, next: u32) {
        if let Some(link) = self.0.link(thing) {
            *link = next;
        }
    }
}

impl<C> Places<C> {
    /// As [`Places::find`], for who asks for the same ones again and again.
    #[inline]
    pub fn find_again(&mut self, secrets: &Secrets, tuple: &Tuple) -> Option<Place> {
        let place = Recent::place(tuple);
        let index = self.recent.0[place];
        let known = self.connection(index).filter(|known| known.is(Marks::LINKED) && known.tuple == *tuple);
        if known.is_some() {
            return Some(Place::Connection(index));
        }
        let found = self.find(secrets, tuple);
        if let Some(Place::Connection(index)) = found {
            self.recent.0[place] = index;
        }
        found
    }

    /// What a tuple leads to.
    #[inline(never)]
    pub fn find(&self, secrets: &Secrets, tuple: &Tuple) -> Option<Place> {
        self.find_at(secrets.place(tuple), tuple)
    }

    /// The same for who knows its hash.
    #[inline]
    pub fn find_at(&self, hash: u32, tuple: &Tuple) -> Option<Place> {
        let mut code = self.index.first(hash);
        while code != NONE {
            let (known, link) = self.all.at(code)?;
            if known == tuple {
                return Some(Place::of(code));
            }
            code = link;
        }
        None
    }

    /// Makes a thing findable.
    pub fn insert(&mut self, secrets: &Secrets, place: Place) {
        self.index.insert(&mut Keyed(&mut self.all, secrets), place.code());
    }

    pub fn remove(&mut self, secrets: &Secrets, place: Place) {
        self.index.remove(&mut Keyed(&mut self.all, secrets), place.code());
    }

    /// The socket of a handle.
    pub fn socket(&self, handle: Handle) -> Result<&Socket<C>, Error> {
        self.all.sockets.get(handle.index).filter(|socket| socket.handle() == handle).ok_or(Error::Stale)
    }

    pub fn socket_mut(&mut self, handle: Handle) -> Result<&mut Socket<C>, Error> {
        self.all.sockets.get_mut(handle.index).filter(|socket| socket.handle() == handle).ok_or(Error::Stale)
    }

    pub fn listener(&mut self, handle: Handle) -> Option<&mut Listener> {
        match self.socket_mut(handle) {
            Ok(Socket::Listener(listener)) => Some(listener),
            _ => None,
        }
    }

    pub fn connection(&mut self, index: u32) -> Option<&mut Connection<C>> {
        match self.all.sockets.get_mut(index) {
            Some(Socket::Connection(connection)) => Some(connection),
            _ => None,
        }
    }
}
