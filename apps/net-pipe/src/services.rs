//! What is done with a connection, by a thread of its own.

use std::{
    io::{Error, ErrorKind, Read, Result, Write},
    net::{Shutdown, TcpStream},
    prelude::v1::*,
};

/// Bytes that a stream is read and written by.
pub const PIECE: usize = 64 << 10;
/// The longest message.
const LONGEST: u64 = 4 << 20;

/// A number.
pub fn number(stream: &mut TcpStream) -> Result<u64> {
    let mut bytes = [0; 8];
    stream.read_exact(&mut bytes)?;
    Ok(u64::from_be_bytes(bytes))
}

/// Room for a message; an error if it is too long, or there is no memory.
pub fn room(length: u64) -> Result<Vec<u8>> {
    if length == 0 || length > LONGEST {
        return Err(Error::from(ErrorKind::InvalidInput));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize)?;
    bytes.resize(length as usize, 0);
    Ok(bytes)
}

/// Sends each message back, until they end.
pub fn pipe(stream: &mut TcpStream) -> Result<()> {
    let length = number(stream)?;
    let mut message = room(length)?;
    loop {
        stream.read_exact(&mut message)?;
        stream.write_all(&message)?;
    }
}

/// Takes what comes.
pub fn sink(stream: &mut TcpStream) -> Result<()> {
    let mut piece = room(PIECE as u64)?;
    while stream.read(&mut piece)? > 0 {}
    Ok(())
}

/// Sends so many bytes, and the stream's end.
pub fn source(stream: &mut TcpStream) -> Result<()> {
    let left = number(stream)?;
    send(stream, left)
}

/// Writes so many bytes, and ends this direction.
pub fn send(stream: &mut TcpStream, mut left: u64) -> Result<()> {
    let piece = room(PIECE as u64)?;
    while left > 0 {
        let length = left.min(PIECE as u64) as usize;
        stream.write_all(&piece[..length])?;
        left -= length as u64;
    }
    stream.shutdown(Shutdown::Write)
}
