//! One epoll for all: who may go on.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Result};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};

use crate::connection::{Connection, Next};
use crate::service::{PIECE, Service};

/// The ports of TCP. Their places are the numbers of the listeners' events; that of UDP comes behind them.
const PORTS: [u16; 5] = [7, 9, 19, 90, 91];
const DATAGRAMS: u64 = PORTS.len() as u64;
/// Connections have their descriptors' numbers, from here on.
const CONNECTIONS: u64 = 1 << 32;
/// Events that are taken at once.
const EVENTS: usize = 64;
/// Connections that wait to be accepted: Linux' most.
const BACKLOG: i32 = 4096;

pub struct Server {
    epoll: OwnedFd,
    listeners: Vec<TcpListener>,
    datagrams: UdpSocket,
    connections: BTreeMap<u64, Connection>,
    events: Vec<epoll::Event>,
    piece: Vec<u8>,
}

impl Server {
    pub fn begin() -> Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let listeners: Vec<_> = PORTS.iter().map(|&port| TcpListener::bind(("0.0.0.0", port))).collect::<Result<_>>()?;
        for (number, listener) in listeners.iter().enumerate() {
            listener.set_nonblocking(true)?;
            rustix::net::listen(listener, BACKLOG)?;
            epoll::add(&epoll, listener, EventData::new_u64(number as u64), EventFlags::IN)?;
        }
        let datagrams = UdpSocket::bind(("0.0.0.0", 7))?;
        datagrams.set_nonblocking(true)?;
        epoll::add(&epoll, &datagrams, EventData::new_u64(DATAGRAMS), EventFlags::IN)?;
        let (events, piece) = (Vec::with_capacity(EVENTS), vec![0; PIECE]);
        Ok(Self { epoll, listeners, datagrams, connections: BTreeMap::new(), events, piece })
    }

    /// Waits for whoever may go on, and has each do so.
    pub fn turn(&mut self) -> Result<()> {
        self.events.clear();
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), None) {
            Err(rustix::io::Errno::INTR) => return Ok(()),
            waited => _ = waited?,
        }
        for at in 0..self.events.len() {
            let data = self.events[at].data;
            match data.u64() {
                DATAGRAMS => self.answer()?,
                number if number < DATAGRAMS => self.accept(number as usize)?,
                number => self.go_on(number)?,
            }
        }
        Ok(())
    }

    fn accept(&mut self, number: usize) -> Result<()> {
        loop {
            let stream = match self.listeners[number].accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                // Who has gone already is nobody's trouble: accept(2).
                Err(error) if error.kind() == ErrorKind::ConnectionAborted => continue,
                Err(error) => return Err(error),
            };
            let key = CONNECTIONS + stream.as_raw_fd() as u64;
            // Nor is who goes meanwhile.
            let Ok(connection) = Connection::new(stream, Service::of(PORTS[number])) else { continue };
            epoll::add(&self.epoll, &connection.stream, EventData::new_u64(key), EventFlags::empty())?;
            self.connections.insert(key, connection);
            self.go_on(key)?;
        }
    }

    fn go_on(&mut self, key: u64) -> Result<()> {
        // One of the same turn may have ended it.
        let Some(connection) = self.connections.get_mut(&key) else { return Ok(()) };
        match connection.go_on(&mut self.piece) {
            Next::Ends => drop(self.connections.remove(&key)),
            Next::Waits(interest) if interest != connection.interest => {
                connection.interest = interest;
                epoll::modify(&self.epoll, connection.stream.as_fd(), EventData::new_u64(key), interest)?;
            }
            Next::Waits(_) => {}
        }
        Ok(())
    }

    /// Gives datagrams back. One that finds no room is lost, as UDP may.
    fn answer(&mut self) -> Result<()> {
        loop {
            match self.datagrams.recv_from(&mut self.piece) {
                Ok((count, from)) => _ = self.datagrams.send_to(&self.piece[..count], from),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                // What ICMP says of those before.
                Err(_) => {}
            }
        }
    }
}
