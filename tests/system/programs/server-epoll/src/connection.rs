//! One connection: what has come and what is to go, as far as the other side takes it.

use std::io::{ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

use rustix::event::epoll::EventFlags;
use rustix::net::sockopt;

use crate::service::{PIECE, Service};

/// Pieces that one connection moves before others have their turn.
const TURN: usize = 16;

/// One that is open.
pub struct Connection {
    pub stream: TcpStream,
    service: Service,
    /// What is to go. Nothing more is read until it has gone, so it is never more than a piece.
    out: Vec<u8>,
    gone: usize,
    /// Nothing comes behind what is to go.
    last: bool,
    /// What it waits for now.
    pub interest: EventFlags,
}

/// What becomes of a connection.
#[derive(PartialEq)]
pub enum Next {
    Waits(EventFlags),
    Ends,
}

impl Connection {
    /// A new one. Silence for five probes is the end of it, or half a minute in which what was sent is not taken: the
    /// other side has vanished.
    pub fn new(stream: TcpStream, service: Service) -> Result<Self> {
        stream.set_nonblocking(true)?;
        sockopt::set_socket_keepalive(&stream, true)?;
        sockopt::set_tcp_keepidle(&stream, Duration::from_secs(2))?;
        sockopt::set_tcp_keepintvl(&stream, Duration::from_secs(1))?;
        sockopt::set_tcp_keepcnt(&stream, 5)?;
        // It would count for keepalive too: tcp(7).
        if service.sends_much() {
            sockopt::set_tcp_user_timeout(&stream, 30_000)?;
        }
        let interest = EventFlags::empty();
        Ok(Self { stream, service, out: Vec::new(), gone: 0, last: false, interest })
    }

    /// Does what can be done without waiting. An error is this connection's end alone.
    pub fn go_on(&mut self, piece: &mut [u8]) -> Next {
        self.step(piece).unwrap_or(Next::Ends)
    }

    fn step(&mut self, piece: &mut [u8]) -> Result<Next> {
        for _ in 0..TURN {
            if !self.flush()? {
                return Ok(Next::Waits(EventFlags::OUT));
            }
            if self.last {
                return Ok(Next::Ends);
            }
            self.last = self.service.go_on(&mut self.out);
            if self.last || !self.out.is_empty() {
                continue;
            }
            match self.stream.read(&mut piece[..PIECE]) {
                Ok(0) => {
                    self.service.at_end(&mut self.out);
                    self.last = true;
                }
                Ok(count) => self.service.take(&piece[..count], &mut self.out),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(Next::Waits(EventFlags::IN)),
                Err(error) => return Err(error),
            }
        }
        // Others have their turn.
        Ok(Next::Waits(if self.out.is_empty() { EventFlags::IN } else { EventFlags::OUT }))
    }

    /// Sends what is to go; whether all has gone. Then it takes no memory any more.
    fn flush(&mut self) -> Result<bool> {
        while self.gone < self.out.len() {
            match self.stream.write(&self.out[self.gone..]) {
                Ok(count) => self.gone += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        (self.out, self.gone) = (Vec::new(), 0);
        Ok(true)
    }
}
