//! Readers and what is made of them.

use std::{
    collections::VecDeque,
    io::{self, BufRead, ErrorKind, IoSliceMut, Read},
    prelude::v1::*,
};

use crate::tally::Tally;

/// Gives bytes in pieces of three, and is interrupted before each.
struct Slow<'a> {
    bytes: &'a [u8],
    interrupted: bool,
}

impl<'a> Slow<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, interrupted: false }
    }
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        let most = buffer.len().min(3);
        self.bytes.read(&mut buffer[..most])
    }
}

/// Gives some bytes, then an error.
struct Broken(bool);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0 {
            return Err(io::Error::other("broken"));
        }
        self.0 = true;
        buffer[..2].copy_from_slice(b"ab");
        Ok(2)
    }
}

pub fn check(tally: &mut Tally) {
    whole(tally);
    adapters(tally);
    lines(tally);
}

fn whole(tally: &mut Tally) {
    let long: Vec<u8> = (0..100_000_u32).map(|number| number as u8).collect();
    let mut bytes = vec![1, 2];
    same!(tally, Slow::new(&long).read_to_end(&mut bytes).ok(), Some(100_000));
    holds!(tally, bytes[..2] == [1, 2] && bytes[2..] == long);
    let mut text = String::from("x");
    same!(tally, Slow::new("äöü".as_bytes()).read_to_string(&mut text).ok(), Some(6));
    same!(tally, text, "xäöü");
    let error = (&b"a\xff"[..]).read_to_string(&mut text).unwrap_err();
    same!(tally, format!("{error:?}"), "Error { kind: InvalidData, message: \"stream did not contain valid UTF-8\" }");
    same!(tally, text, "xäöü");
    same!(tally, Broken(false).read_to_string(&mut text).unwrap_err().to_string(), "broken");
    same!(tally, text, "xäöüab");
    let mut exact = [0; 5];
    holds!(tally, Slow::new(b"123456").read_exact(&mut exact).is_ok() && exact == *b"12345");
    let error = Slow::new(b"1234").read_exact(&mut exact).unwrap_err();
    same!(tally, format!("{error:?}"), "Error { kind: UnexpectedEof, message: \"failed to fill whole buffer\" }");
    let mut short = &b"1234"[..];
    holds!(tally, short.read_exact(&mut exact).is_err());
    same!(tally, short, b"");
    same!(tally, io::read_to_string(&b"all"[..]).ok(), Some("all".to_string()));
    let (mut first, mut second) = ([0; 0], [0; 2]);
    let mut buffers = [IoSliceMut::new(&mut first), IoSliceMut::new(&mut second)];
    same!(tally, Slow::new(b"xyz").by_ref().bytes().count(), 3);
    same!(tally, io::repeat(7).read_vectored(&mut buffers).ok(), Some(2));
    same!(tally, second, [7, 7]);
}

fn adapters(tally: &mut Tally) {
    let bytes: Result<Vec<u8>, _> = Slow::new(b"abcd").bytes().collect();
    same!(tally, bytes.ok(), Some(b"abcd".to_vec()));
    let mut chain = Slow::new(b"one ").chain(&b"two"[..]);
    let mut text = String::new();
    same!(tally, chain.read_to_string(&mut text).ok(), Some(7));
    same!(tally, text, "one two");
    same!(tally, chain.into_inner().1, b"");
    let mut lines = b"a\nb".chain(&b"c\nd"[..]).lines();
    same!(tally, lines.next().and_then(Result::ok), Some("a".to_string()));
    same!(tally, lines.next().and_then(Result::ok), Some("bc".to_string()));
    let mut take = io::repeat(b'x').take(5);
    same!(tally, take.limit(), 5);
    text.clear();
    same!(tally, take.read_to_string(&mut text).ok(), Some(5));
    same!(tally, (take.limit(), &*text), (0, "xxxxx"));
    take.set_limit(1);
    same!(tally, take.bytes().count(), 1);
    let mut source = &b"abcdef"[..];
    same!(tally, source.by_ref().take(2).bytes().count(), 2);
    same!(tally, source, b"cdef");
    let mut take = source.take(3);
    same!(tally, take.fill_buf().ok(), Some(&b"cde"[..]));
    take.consume(2);
    same!(tally, (take.limit(), take.into_inner()), (1, &b"ef"[..]));
    let mut sink = Vec::new();
    same!(tally, io::copy(&mut Slow::new(b"copied"), &mut sink).ok(), Some(6));
    same!(tally, sink, b"copied");
    same!(tally, io::copy(&mut io::repeat(0).take(10_000), &mut io::sink()).ok(), Some(10_000));
    same!(tally, io::empty().bytes().count(), 0);
    let mut queue: VecDeque<u8> = (0..10).collect();
    let mut four = [0; 4];
    holds!(tally, queue.read_exact(&mut four).is_ok() && four == [0, 1, 2, 3]);
    same!(tally, queue.len(), 6);
}

fn lines(tally: &mut Tally) {
    let mut source = &b"first\nsecond\r\n\nlast"[..];
    let mut line = String::from("> ");
    same!(tally, source.read_line(&mut line).ok(), Some(6));
    same!(tally, line, "> first\n");
    let rest: Vec<String> = source.lines().map_while(Result::ok).collect();
    same!(tally, rest, ["second", "", "last"]);
    let parts: Vec<Vec<u8>> = b"a,b,,c,".split(|&byte| byte == b',').map(<[u8]>::to_vec).collect();
    same!(tally, parts.len(), 5);
    let parts: Vec<Vec<u8>> = BufRead::split(&b"a,b,,c,"[..], b',').map_while(Result::ok).collect();
    same!(tally, parts, [&b"a"[..], b"b", b"", b"c"]);
    let mut source = &b"key=value"[..];
    same!(tally, source.skip_until(b'=').ok(), Some(4));
    let mut value = Vec::new();
    same!(tally, source.read_until(b'=', &mut value).ok(), Some(5));
    same!(tally, value, b"value");
    same!(tally, source.read_until(b'=', &mut value).ok(), Some(0));
    let mut text = String::from("kept");
    holds!(tally, (&b"\xff\n"[..]).read_line(&mut text).is_err() && text == "kept");
    let mut reader: Box<dyn BufRead> = Box::new(&b"boxed\n"[..]);
    same!(tally, (&mut reader).lines().count(), 1);
}
