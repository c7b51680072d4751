//! Cursors.

use std::{
    io::{BufRead, Cursor, ErrorKind, Read, Seek, SeekFrom, Write},
    prelude::v1::*,
};

use crate::tally::Tally;

pub fn check(tally: &mut Tally) {
    let mut cursor = Cursor::new("some text");
    same!(tally, cursor.seek(SeekFrom::End(-4)).ok(), Some(5));
    let mut text = String::new();
    holds!(tally, cursor.read_to_string(&mut text).is_ok() && text == "text");
    same!(tally, cursor.position(), 9);
    same!(tally, cursor.seek(SeekFrom::Current(10)).ok(), Some(19));
    same!(tally, cursor.fill_buf().ok(), Some(&b""[..]));
    let error = cursor.seek(SeekFrom::Current(-20)).unwrap_err();
    same!(tally, error.kind(), ErrorKind::InvalidInput);
    same!(tally, error.to_string(), "invalid seek to a negative or overflowing position");
    same!(tally, cursor.position(), 19);
    holds!(tally, cursor.rewind().is_ok());
    same!(tally, cursor.stream_position().ok(), Some(0));
    same!(tally, cursor.read_exact(&mut [0; 10]).unwrap_err().kind(), ErrorKind::UnexpectedEof);
    same!(tally, cursor.position(), 9);
    holds!(tally, cursor.seek(SeekFrom::Start(5)).is_ok() && Seek::seek_relative(&mut cursor, -1).is_ok());
    same!(tally, cursor.position(), 4);

    let mut growing = Cursor::new(Vec::new());
    growing.set_position(2);
    holds!(tally, growing.write_all(b"abc").is_ok() && growing.position() == 5);
    growing.set_position(4);
    holds!(tally, growing.write_all(b"XY").is_ok());
    same!(tally, growing.get_ref(), b"\0\0abXY");
    same!(tally, format!("{:?}", Cursor::new([1_u8, 2])), "Cursor { inner: [1, 2], pos: 0 }");

    let mut fixed = Cursor::new([0_u8; 4]);
    same!(tally, fixed.write(b"abcdef").ok(), Some(4));
    same!(tally, fixed.write(b"g").ok(), Some(0));
    same!(tally, fixed.write_all(b"g").unwrap_err().kind(), ErrorKind::WriteZero);
    let mut room = [0; 3];
    let mut borrowed = Cursor::new(&mut room[..]);
    borrowed.set_position(1);
    same!(tally, borrowed.write(b"xyz").ok(), Some(2));
    same!(tally, room, [0, b'x', b'y']);
    let mut boxed = Cursor::new(vec![0; 2].into_boxed_slice());
    same!(tally, boxed.write(b"xyz").ok(), Some(2));
    let mut vector = vec![1];
    holds!(tally, Cursor::new(&mut vector).write_all(b"ab").is_ok() && vector == b"ab");
}
