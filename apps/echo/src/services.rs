//! What is done with a connection, each by a thread of its own.

use std::{
    io::{Read, Result, Write},
    net::{Shutdown, TcpStream},
    prelude::v1::*,
};

use crate::pattern::{self, Digest};

/// Bytes that are read or written at once.
const BUFFER: usize = 64 << 10;

/// A buffer; an error if there is no memory for it, which is this connection's trouble alone.
fn buffer() -> Result<Vec<u8>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(BUFFER)?;
    buffer.resize(BUFFER, 0);
    Ok(buffer)
}

/// All that comes, until its end.
fn each(stream: &mut TcpStream, mut take: impl FnMut(&mut TcpStream, &[u8]) -> Result<()>) -> Result<()> {
    let mut buffer = buffer()?;
    loop {
        match stream.read(&mut buffer)? {
            0 => return Ok(()),
            count => take(stream, &buffer[..count])?,
        }
    }
}

/// Sends back what comes.
pub fn echo(stream: &mut TcpStream) -> Result<()> {
    each(stream, |stream, bytes| stream.write_all(bytes))
}

/// Takes what comes.
pub fn discard(stream: &mut TcpStream) -> Result<()> {
    each(stream, |_, _| Ok(()))
}

/// Sends as many bytes as it is asked for.
pub fn source(stream: &mut TcpStream) -> Result<()> {
    let mut wanted = [0; 8];
    stream.read_exact(&mut wanted)?;
    let mut left = u64::from_be_bytes(wanted);
    let mut buffer = buffer()?;
    let mut word = 0;
    while left > 0 {
        let length = left.min(BUFFER as u64);
        let bytes = &mut buffer[..length as usize];
        pattern::fill(bytes, word);
        stream.write_all(bytes)?;
        word += length.div_ceil(8);
        left -= length;
    }
    stream.shutdown(Shutdown::Write)
}

/// Says at the end how much has come, and its digest.
pub fn digest(stream: &mut TcpStream) -> Result<()> {
    let mut digest = Digest::default();
    each(stream, |_, bytes| {
        digest.add(bytes);
        Ok(())
    })?;
    stream.write_all(&digest.length.to_be_bytes())?;
    stream.write_all(&digest.finish().to_be_bytes())
}
