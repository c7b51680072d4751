//! Which socket is whose, and who waits for it.

use alloc::vec::Vec;

use sockets::{Error, Socket, Waiting};

/// A socket of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of TCP.
    Stream(tcp::Handle),
    /// Of UDP.
    Datagrams(netstack::Handle),
    /// A raw one, or one for echoes.
    Raw(netstack::Handle),
}

/// A socket's entry.
pub struct Entry {
    pub kind: Kind,
    pub waiting: Waiting,
    /// Which directions of one that is no stream have ended: receiving, sending.
    pub ended: [bool; 2],
}

/// Entries by the numbers that owners know, and these numbers by the stack's.
#[derive(Default)]
pub struct Table {
    /// How often the place was taken, and who has it.
    places: Vec<(u32, Option<Entry>)>,
    free: Vec<u32>,
    streams: Vec<u32>,
    datagrams: Vec<u32>,
    raw: Vec<u32>,
}

const NOBODY: u32 = u32::MAX;
/// In the number of a socket of TCP: so much of it is known without a look.
const STREAM: u32 = 1 << 31;
/// The same of a raw one.
const RAW: u32 = 1 << 30;

/// What is known of a number without a look.
const fn mark(kind: Kind) -> u32 {
    match kind {
        Kind::Stream(_) => STREAM,
        Kind::Datagrams(_) => 0,
        Kind::Raw(_) => RAW,
    }
}

/// Its place, and how often that was taken.
const fn numbers(socket: Socket) -> (usize, u32) {
    ((socket.0 as u32 & !(STREAM | RAW)) as usize, (socket.0 >> 32) as u32)
}

/// Whether a socket is a raw one, if it is any.
pub const fn is_raw(socket: Socket) -> bool {
    socket.0 as u32 & RAW != 0
}

/// Whether a socket is of TCP, if it is any.
pub const fn is_stream(socket: Socket) -> bool {
    socket.0 as u32 & STREAM != 0
}

impl Table {
    /// Adds one. The stack bounds how many there are.
    pub fn add(&mut self, kind: Kind, waiting: Waiting) -> Socket {
        let index = self.free.pop().unwrap_or_else(|| {
            self.places.push((0, None));
            (self.places.len() - 1) as u32
        });
        let place = &mut self.places[index as usize];
        place.0 = place.0.wrapping_add(1);
        place.1 = Some(Entry { kind, waiting, ended: [false; 2] });
        let number = Socket(u64::from(place.0) << 32 | u64::from(index | mark(kind)));
        *self.back(kind) = index;
        number
    }

    /// Where the number of a socket of the stack's is kept.
    fn back(&mut self, kind: Kind) -> &mut u32 {
        let (numbers, index) = match kind {
            Kind::Stream(handle) => (&mut self.streams, handle.index() as usize),
            Kind::Datagrams(handle) => (&mut self.datagrams, handle.index() as usize),
            Kind::Raw(handle) => (&mut self.raw, handle.index() as usize),
        };
        if numbers.len() <= index {
            numbers.resize(index + 1, NOBODY);
        }
        &mut numbers[index]
    }

    fn index(&self, socket: Socket) -> Result<usize, Error> {
        self.entry(socket).map(|_| numbers(socket).0)
    }

    /// All of a socket.
    pub fn entry(&self, socket: Socket) -> Result<&Entry, Error> {
        let (index, turn) = numbers(socket);
        match self.places.get(index) {
            Some((now, Some(entry))) if *now == turn => Ok(entry),
            _ => Err(Error::Stale),
        }
    }

    /// What a socket is.
    pub fn kind(&self, socket: Socket) -> Result<Kind, Error> {
        self.entry(socket).map(|entry| entry.kind)
    }

    /// Which directions have ended of one that is no stream.
    pub fn ended(&self, socket: Socket) -> [bool; 2] {
        self.entry(socket).map_or([false; 2], |entry| entry.ended)
    }

    /// An error if sending has ended of one that is no stream.
    pub fn check_sending(&self, socket: Socket) -> Result<(), Error> {
        if self.ended(socket)[1] { Err(Error::Closed) } else { Ok(()) }
    }

    /// Ends directions of one that is no stream, and gives who waits for it.
    pub fn end(&mut self, socket: Socket, directions: [bool; 2]) -> Result<Waiting, Error> {
        let index = self.index(socket)?;
        let entry = self.places[index].1.as_mut().ok_or(Error::Stale)?;
        for (ended, ends) in entry.ended.iter_mut().zip(directions) {
            *ended |= ends;
        }
        Ok(Waiting::clone(&entry.waiting))
    }

    /// The number that the owner of one knows it by.
    pub fn number(&self, kind: Kind) -> Option<Socket> {
        let (numbers, index) = match kind {
            Kind::Stream(handle) => (&self.streams, handle.index()),
            Kind::Datagrams(handle) => (&self.datagrams, handle.index()),
            Kind::Raw(handle) => (&self.raw, handle.index()),
        };
        let index = *numbers.get(index as usize)?;
        let (turn, entry) = self.places.get(index as usize)?;
        let is = entry.as_ref().is_some_and(|entry| entry.kind == kind);
        is.then(|| Socket(u64::from(*turn) << 32 | u64::from(index | mark(kind))))
    }

    /// A socket of TCP.
    pub fn stream(&self, socket: Socket) -> Result<tcp::Handle, Error> {
        match self.kind(socket)? {
            Kind::Stream(handle) => Ok(handle),
            Kind::Datagrams(_) | Kind::Raw(_) => Err(Error::Stale),
        }
    }

    /// One of UDP.
    pub fn datagrams(&self, socket: Socket) -> Result<netstack::Handle, Error> {
        match self.kind(socket)? {
            Kind::Datagrams(handle) => Ok(handle),
            Kind::Stream(_) | Kind::Raw(_) => Err(Error::Stale),
        }
    }

    /// A raw one.
    pub fn raw(&self, socket: Socket) -> Result<netstack::Handle, Error> {
        match self.kind(socket)? {
            Kind::Raw(handle) => Ok(handle),
            Kind::Stream(_) | Kind::Datagrams(_) => Err(Error::Stale),
        }
    }

    /// Takes one out.
    pub fn remove(&mut self, socket: Socket) -> Result<Kind, Error> {
        let index = self.index(socket)?;
        let entry = self.places[index].1.take().ok_or(Error::Stale)?;
        self.free.push(index as u32);
        *self.back(entry.kind) = NOBODY;
        Ok(entry.kind)
    }

    /// Takes out any that is left.
    pub fn remove_any(&mut self) -> Option<Kind> {
        // The last place goes too: nobody looks at it twice.
        while let Some((_, entry)) = self.places.pop() {
            if let Some(entry) = entry {
                *self.back(entry.kind) = NOBODY;
                return Some(entry.kind);
            }
        }
        self.free.clear();
        None
    }

    /// Who waits for a socket of the stack's.
    pub fn waiting(&mut self, kind: Kind) -> Option<&Waiting> {
        let index = *self.back(kind);
        let entry = self.places.get(index as usize)?.1.as_ref()?;
        // The number may be another's by now, whose owner has not been told yet.
        (entry.kind == kind).then_some(&entry.waiting)
    }
}
