//! What a client asks of the server: streams each way, whose length and digest it tells.

use std::io::{Read, Result, Write};
use std::net::{Shutdown, TcpStream};

use crate::pattern::{self, Digest};

/// Bytes that are read or written at once.
const PIECE: usize = 64 << 10;

/// How many bytes came, and their digest.
pub type Told = [u64; 2];

/// So many bytes of the pattern, piece by piece.
fn pieces(length: u64, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let (mut piece, mut at) = (vec![0; PIECE], 0);
    while at < length {
        let count = (length - at).min(PIECE as u64);
        let piece = &mut piece[..count as usize];
        pattern::fill(piece, at / 8);
        take(piece)?;
        at += count;
    }
    Ok(())
}

/// What must be told of so many bytes.
pub fn expected(length: u64) -> Told {
    let mut digest = Digest::default();
    // Nothing can go wrong where nobody else takes part.
    let _ = pieces(length, |piece| {
        digest.add(piece);
        Ok(())
    });
    [digest.length, digest.finish()]
}

/// Sends so many bytes of the pattern, and the stream's end.
pub fn write(stream: &TcpStream, length: u64) -> Result<()> {
    write_open(stream, length)?;
    stream.shutdown(Shutdown::Write)
}

/// Sends so many bytes of the pattern.
pub fn write_open(mut stream: &TcpStream, length: u64) -> Result<()> {
    pieces(length, |piece| stream.write_all(piece))
}

/// Reads to the end.
pub fn read(mut stream: &TcpStream) -> Result<Told> {
    let (mut digest, mut piece) = (Digest::default(), vec![0; PIECE]);
    loop {
        match stream.read(&mut piece)? {
            0 => return Ok([digest.length, digest.finish()]),
            count => digest.add(&piece[..count]),
        }
    }
}

/// So many bytes to the port of digests: what it has got.
pub fn send(mut stream: &TcpStream, length: u64) -> Result<Told> {
    write(stream, length)?;
    let mut told = [0; 16];
    stream.read_exact(&mut told)?;
    let (words, _) = told.as_chunks::<8>();
    Ok([u64::from_be_bytes(words[0]), u64::from_be_bytes(words[1])])
}

/// So many bytes from the source.
pub fn receive(mut stream: &TcpStream, length: u64) -> Result<Told> {
    stream.write_all(&length.to_be_bytes())?;
    read(stream)
}
