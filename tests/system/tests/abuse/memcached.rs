//! Memcached, in its protocol of lines.

use std::io::{self, Read};

use fastrand::Rng;

use crate::kind::{Kind, Stream, damaged, line, much, noise, word};

pub const MEMCACHED: Kind = Kind {
    name: "memcached",
    needs: &["memcached"],
    words: &["memcached", "-p", "{P}", "-c", "12000", "-t", "2", "-b", "4096", "-o", "idle_timeout={T}"],
    file: ("unused", ""),
    prepare: |served| {
        let mut stream = served.connect();
        let set = [format!("set much 0 0 {MUCH}\r\n").as_bytes(), &much(MUCH), b"\r\n"].concat();
        served.send(&stream, &set);
        assert_eq!(read(&mut stream).unwrap(), b"STORED");
    },
    // The answer has the number as its opaque word.
    request: |number| format!("ms key{} 1 O{number}\r\nx\r\n", number % 100).into_bytes(),
    answer: |number| format!("HD O{number}").into_bytes(),
    read,
    much: ("get much\r\n", MUCH),
    wrong,
    broken,
};

/// An item has a megabyte at most.
const MUCH: usize = 900_000;

fn read(stream: &mut Stream) -> io::Result<Vec<u8>> {
    let line_read = line(stream)?;
    let Some(value) = line_read.strip_prefix("VALUE ") else { return Ok(line_read.into_bytes()) };
    let length: usize = value.rsplit(' ').next().unwrap_or_default().parse().map_err(io::Error::other)?;
    let mut body = vec![0; length + 2];
    stream.read_exact(&mut body)?;
    body.truncate(length);
    match line(stream)? {
        end if end == "END" => Ok(body),
        other => Err(io::Error::other(other)),
    }
}

/// Commands that there are not, or that lack words.
fn wrong(random: &mut Rng) -> Vec<u8> {
    match random.u8(..5) {
        0 => [b"9", &word(random, 200)[..], b"\r\n"].concat(),
        1 => b"get\r\n".to_vec(),
        2 => b"incr key notanumber\r\n".to_vec(),
        3 => [b"decr ", &word(random, 100)[..], b" 1\r\n"].concat(),
        _ => b"touch key\r\n".to_vec(),
    }
}

fn broken(random: &mut Rng) -> Vec<u8> {
    match random.u8(..7) {
        0 => noise(random, 2000),
        1 => damaged(random, b"set broken 0 0 5\r\nhello\r\n".to_vec()),
        2 => b"set broken 0 0 -1\r\n".to_vec(),
        3 => b"set broken 0 0 99999999999\r\nhello\r\n".to_vec(),
        // A name that is too long, behind which it loses its place, on Linux too.
        4 => [b"get ", &vec![b'k'; 300][..], b"\r\nget a\r\n"].concat(),
        5 => vec![b'x'; 70_000],
        // The binary protocol, whose lengths disagree.
        _ => [&[0x80, random.u8(..), 0xff, 0xff, 0xff, 0, 0, 0][..], &noise(random, 40)].concat(),
    }
}
