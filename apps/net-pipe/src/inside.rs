//! The machine's own loopback, measured from inside.

use std::{
    io::{Read, Result, Write},
    net::{Ipv4Addr, TcpStream},
    time::Instant,
};

use crate::{
    PIPE, SINK,
    services::{number, room, send},
};

/// Measures what is asked for, and says how long it took.
pub fn measure(stream: &mut TcpStream) -> Result<()> {
    let (length, count) = (number(stream)?, number(stream)?);
    let taken = if length == 0 { flow(count)? } else { to_and_fro(length, count)? };
    stream.write_all(&taken.to_be_bytes())
}

fn connect(port: u16) -> Result<TcpStream> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Messages to and fro.
fn to_and_fro(length: u64, count: u64) -> Result<u64> {
    let (mut stream, mut message) = (connect(PIPE)?, room(length)?);
    stream.write_all(&length.to_be_bytes())?;
    let since = Instant::now();
    for _ in 0..count {
        stream.write_all(&message)?;
        stream.read_exact(&mut message)?;
    }
    Ok(since.elapsed().as_nanos() as u64)
}

/// A stream, up to the moment when its end has been taken.
fn flow(bytes: u64) -> Result<u64> {
    let mut stream = connect(SINK)?;
    let since = Instant::now();
    send(&mut stream, bytes)?;
    // Nothing comes but the end.
    stream.read(&mut [0])?;
    Ok(since.elapsed().as_nanos() as u64)
}
