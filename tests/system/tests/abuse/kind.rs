//! What a kind of server is asked, and what it answers.

use std::io::{self, BufRead, BufReader, ErrorKind};
use std::net::TcpStream;

use fastrand::Rng;

use crate::served::Served;

/// A connection, as a client reads from it.
pub type Stream = BufReader<TcpStream>;

/// A kind of server. In its texts `{F}` is a folder of the run's own, `{P}` its port, and `{T}` how many seconds it
/// waits for those who say nothing, or not enough. Then it cuts them off.
pub struct Kind {
    pub name: &'static str,
    pub needs: &'static [&'static str],
    pub words: &'static [&'static str],
    /// A file that the test writes: name and text.
    pub file: (&'static str, &'static str),
    /// Gives it what it is asked for later.
    pub prepare: fn(&Served),
    /// A request with this number.
    pub request: fn(u64) -> Vec<u8>,
    /// What comes for it.
    pub answer: fn(u64) -> Vec<u8>,
    /// Reads one answer, and says what it has.
    pub read: fn(&mut Stream) -> io::Result<Vec<u8>>,
    /// A request for much: each such answer has the first bytes of [`much`], so many.
    pub much: (&'static str, usize),
    /// What is wrong in a way that is answered, and no reason to end the connection.
    pub wrong: fn(&mut Rng) -> Vec<u8>,
    /// What may be wrong in any way.
    pub broken: fn(&mut Rng) -> Vec<u8>,
}

/// Bytes that are another at each place.
pub fn much(length: usize) -> Vec<u8> {
    (0..length as u64).map(|place| ((place * 7919) >> 7) as u8).collect()
}

/// A line without its end.
pub fn line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    stream.read_until(b'\n', &mut line)?;
    let whole = line.strip_suffix(b"\r\n").ok_or(ErrorKind::UnexpectedEof)?;
    Ok(String::from_utf8_lossy(whole).into_owned())
}

/// Bytes of any kind, up to so many.
pub fn noise(random: &mut Rng, most: usize) -> Vec<u8> {
    (0..random.usize(1..most)).map(|_| random.u8(..)).collect()
}

/// Letters, up to so many.
pub fn word(random: &mut Rng, most: usize) -> Vec<u8> {
    (0..random.usize(1..most)).map(|_| random.lowercase() as u8).collect()
}

/// A request with some bytes changed, lost, doubled or cut off.
pub fn damaged(random: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..random.usize(1..6) {
        let place = random.usize(..bytes.len());
        match random.u8(..4) {
            0 => bytes[place] = random.u8(..),
            1 => drop(bytes.remove(place)),
            2 => bytes.insert(place, bytes[place]),
            _ => bytes.truncate(place + 1),
        }
        if bytes.is_empty() {
            bytes.push(b'\r');
        }
    }
    bytes
}
