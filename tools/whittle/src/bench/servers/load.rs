//! What servers are asked, and what they must answer: as many requests at once on each connection as are pipelined.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::super::net::{SERVER, until_served};

/// Connections that are asked in turn.
const CONNECTIONS: usize = 16;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes of a value, and of nginx' page: Debian's first one has as many.
const VALUE: usize = 64;
pub const PAGE: usize = 612;

/// A server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    Redis,
    Nginx,
    Memcached,
}

impl Server {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Redis, Self::Nginx, Self::Memcached];

    const fn port(self) -> u16 {
        match self {
            Self::Redis => 6379,
            Self::Nginx => 80,
            Self::Memcached => 11211,
        }
    }

    /// Its program.
    pub const fn program(self) -> &'static str {
        match self {
            Self::Redis => "/usr/bin/redis-server",
            Self::Nginx => "/usr/sbin/nginx",
            Self::Memcached => "/usr/bin/memcached",
        }
    }

    /// The program's name, which is that of Debian's package's row too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Redis => "redis-server",
            Self::Nginx => "nginx",
            Self::Memcached => "memcached",
        }
    }
}

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
pub const LOADS: [Load; 6] = [
    Load { server: Server::Redis, sets: false, pipeline: 1 },
    Load { server: Server::Redis, sets: false, pipeline: 16 },
    Load { server: Server::Redis, sets: true, pipeline: 1 },
    Load { server: Server::Redis, sets: true, pipeline: 16 },
    Load { server: Server::Nginx, sets: false, pipeline: 1 },
    Load { server: Server::Memcached, sets: false, pipeline: 1 },
];

impl Load {
    /// Its name in tables.
    pub fn name(self) -> String {
        match self.server {
            Server::Redis => format!("redis {}, pipeline {}", if self.sets { "SET" } else { "GET" }, self.pipeline),
            Server::Nginx => format!("nginx, {PAGE} bytes"),
            Server::Memcached => "memcached get".into(),
        }
    }

    fn request(self) -> String {
        let value = "v".repeat(VALUE);
        match (self.server, self.sets) {
            (Server::Redis, true) => format!("*3\r\n$3\r\nSET\r\n$5\r\nkey:1\r\n${VALUE}\r\n{value}\r\n"),
            (Server::Redis, false) => "*2\r\n$3\r\nGET\r\n$5\r\nkey:1\r\n".into(),
            (Server::Nginx, _) => "GET / HTTP/1.1\r\nHost: a\r\n\r\n".into(),
            (Server::Memcached, true) => format!("set key:1 0 0 {VALUE}\r\n{value}\r\n"),
            (Server::Memcached, false) => "get key:1\r\n".into(),
        }
    }

    /// What a whole answer ends with.
    fn end(self) -> String {
        match (self.server, self.sets) {
            (Server::Redis, true) => "+OK\r\n".into(),
            (Server::Redis, false) => format!("{}\r\n", "v".repeat(VALUE)),
            (Server::Nginx, _) => "x".repeat(PAGE),
            (Server::Memcached, true) => "STORED\r\n".into(),
            (Server::Memcached, false) => format!("{}\r\nEND\r\n", "v".repeat(VALUE)),
        }
    }

    /// Waits until it is served, and sets the value that is asked for.
    pub fn prepare(self) -> io::Result<()> {
        let first = if self.server == Server::Nginx { self } else { Self { sets: true, ..self } };
        until_served(|| first.ask(1).map(drop))
    }

    /// Asks so many times at least; how often.
    pub fn ask(self, requests: usize) -> io::Result<usize> {
        let connections = if requests == 1 { 1 } else { CONNECTIONS };
        let mut streams = (0..connections).map(|_| self.connect()).collect::<io::Result<Vec<_>>>()?;
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

    fn connect(self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect_timeout(&(SERVER, self.server.port()).into(), PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    /// Asks once; the answer's length, which all others have.
    fn first(self, stream: &mut TcpStream) -> io::Result<usize> {
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
