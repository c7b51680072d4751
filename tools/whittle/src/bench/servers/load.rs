//! What servers are asked, and what they must answer: as many requests at once on each connection as are pipelined.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use super::super::net::until_served;
use super::server::Server;

/// Connections that are asked in turn.
pub const CONNECTIONS: usize = 16;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes of a value, and of nginx' page: Debian's first one has as many.
const VALUE: usize = 64;
pub const PAGE: usize = 612;
/// What `apps/bench-servers` say.
const HELLO: &str = "hello, world\n";

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Whom.
    pub server: Server,
    /// Sets a value, rather than to ask for it (redis).
    pub sets: bool,
    /// Requests that are sent at once on a connection.
    pub pipeline: usize,
}

/// All loads, in the order of the table.
pub const LOADS: [Load; 8] = [
    Load { server: Server::Redis, sets: false, pipeline: 1 },
    Load { server: Server::Redis, sets: false, pipeline: 16 },
    Load { server: Server::Redis, sets: true, pipeline: 1 },
    Load { server: Server::Redis, sets: true, pipeline: 16 },
    Load::of(Server::Nginx),
    Load::of(Server::Memcached),
    Load::of(Server::Go),
    Load::of(Server::Node),
];

impl Load {
    /// One question after the other, for what the server has.
    pub const fn of(server: Server) -> Self {
        Self { server, sets: false, pipeline: 1 }
    }

    /// Its name in tables.
    pub fn name(self) -> String {
        match self.server {
            Server::Redis => format!("redis {}, pipeline {}", if self.sets { "SET" } else { "GET" }, self.pipeline),
            Server::Nginx => format!("nginx, {PAGE} bytes"),
            Server::Memcached => "memcached get".into(),
            Server::Go => "Go net/http, hello".into(),
            Server::Node => "node, hello".into(),
            Server::Java => "java, hello".into(),
        }
    }

    /// What is sent to ask once.
    pub fn request(self) -> String {
        let value = "v".repeat(VALUE);
        match (self.server, self.sets) {
            (Server::Redis, true) => format!("*3\r\n$3\r\nSET\r\n$5\r\nkey:1\r\n${VALUE}\r\n{value}\r\n"),
            (Server::Redis, false) => "*2\r\n$3\r\nGET\r\n$5\r\nkey:1\r\n".into(),
            (Server::Nginx | Server::Go | Server::Node | Server::Java, _) => "GET / HTTP/1.1\r\nHost: a\r\n\r\n".into(),
            (Server::Memcached, true) => format!("set key:1 0 0 {VALUE}\r\n{value}\r\n"),
            (Server::Memcached, false) => "get key:1\r\n".into(),
        }
    }

    /// What a whole answer ends with.
    pub fn end(self) -> String {
        match (self.server, self.sets) {
            (Server::Redis, true) => "+OK\r\n".into(),
            (Server::Redis, false) => format!("{}\r\n", "v".repeat(VALUE)),
            (Server::Nginx, _) => "x".repeat(PAGE),
            (Server::Go | Server::Node | Server::Java, _) => HELLO.into(),
            (Server::Memcached, true) => "STORED\r\n".into(),
            (Server::Memcached, false) => format!("{}\r\nEND\r\n", "v".repeat(VALUE)),
        }
    }

    /// Waits until it is served at an address, and sets the value that is asked for.
    pub fn prepare(self, at: Ipv4Addr) -> io::Result<()> {
        until_served(|| Self::opening(self.server).ask(at, 1).map(drop))
    }

    /// What a server that has just begun can answer: it sets the value that is asked for later, where there is one.
    pub const fn opening(server: Server) -> Self {
        Self { sets: matches!(server, Server::Redis | Server::Memcached), ..Self::of(server) }
    }

    /// Asks so many times at least; how often.
    pub fn ask(self, at: Ipv4Addr, requests: usize) -> io::Result<usize> {
        let connections = if requests == 1 { 1 } else { CONNECTIONS };
        let mut streams = (0..connections).map(|_| self.connect(at)).collect::<io::Result<Vec<_>>>()?;
        let length = self.first(&mut streams[0])?;
        let (sent, mut buffer) = (self.request().repeat(self.pipeline), vec![0; length * self.pipeline]);
        let mut done = 1;
        while done < requests {
            streams.iter_mut().try_for_each(|stream| stream.write_all(sent.as_bytes()))?;
            for stream in &mut streams {
                stream.read_exact(&mut buffer)?;
                if !buffer.chunks(length).all(|answer| answer.ends_with(self.end().as_bytes())) {
                    return Err(io::Error::new(ErrorKind::InvalidData, "a wrong answer"));
                }
                done += self.pipeline;
            }
        }
        Ok(done)
    }

    /// A connection to the server.
    pub fn connect(self, at: Ipv4Addr) -> io::Result<TcpStream> {
        let stream = TcpStream::connect_timeout(&(at, self.server.port()).into(), PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    /// Asks once; the answer's length, which all others have.
    pub fn first(self, stream: &mut TcpStream) -> io::Result<usize> {
        stream.write_all(self.request().as_bytes())?;
        let (mut answer, end, mut piece) = (Vec::new(), self.end(), [0; 4096]);
        while !answer.ends_with(end.as_bytes()) {
            match stream.read(&mut piece)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                count => answer.extend_from_slice(&piece[..count]),
            }
        }
        Ok(answer.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_end_as_the_protocols_say() {
        let of = |server, sets| Load { server, sets, pipeline: 1 };
        let value = "v".repeat(VALUE);
        for (load, answer) in [
            (of(Server::Redis, false), format!("$64\r\n{value}\r\n")),
            (of(Server::Redis, true), "+OK\r\n".to_owned()),
            (of(Server::Memcached, false), format!("VALUE key:1 0 64\r\n{value}\r\nEND\r\n")),
        ] {
            assert!(answer.ends_with(&load.end()), "{load:?}");
        }
        let missing = ["$-1\r\n", "END\r\n"];
        assert!(missing.iter().all(|answer| !answer.ends_with(&of(Server::Redis, false).end())));
        assert_eq!(LOADS.map(Load::name)[1], "redis GET, pipeline 16");
    }
}
