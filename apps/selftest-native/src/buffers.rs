//! Buffered readers and writers.

use std::{
    cell::RefCell,
    io::{self, BufRead, BufReader, BufWriter, Cursor, LineWriter, Read, Seek, SeekFrom, Write},
    prelude::v1::*,
    rc::Rc,
};

use crate::tally::Tally;

/// Keeps what each write brought; refuses when told to.
#[derive(Clone, Debug, Default)]
struct Log {
    writes: Rc<RefCell<Vec<String>>>,
    refuse: bool,
}

impl Log {
    fn seen(&self) -> String {
        self.writes.borrow().join("|")
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.refuse {
            return Err(io::Error::other("refused"));
        }
        self.writes.borrow_mut().push(String::from_utf8_lossy(bytes).into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writes.borrow_mut().push("flush".to_string());
        Ok(())
    }
}

pub fn check(tally: &mut Tally) {
    readers(tally);
    writers(tally);
    refusals(tally);
    lines(tally);
}

fn readers(tally: &mut Tally) {
    let mut reader = BufReader::with_capacity(4, Cursor::new(b"0123456789abcdef"));
    same!(tally, reader.capacity(), 4);
    same!(tally, reader.buffer(), b"");
    let mut two = [0; 2];
    same!(tally, reader.read(&mut two).ok(), Some(2));
    same!(tally, reader.buffer(), b"23");
    same!(tally, reader.stream_position().ok(), Some(2));
    same!(tally, reader.get_ref().position(), 4);
    holds!(tally, reader.seek_relative(1).is_ok() && reader.buffer() == b"3");
    holds!(tally, reader.seek_relative(-2).is_ok() && reader.buffer() == b"123");
    same!(tally, reader.seek(SeekFrom::Current(4)).ok(), Some(5));
    same!(tally, reader.fill_buf().ok(), Some(&b"5678"[..]));
    let mut large = [0; 8];
    same!(tally, reader.read(&mut large).ok(), Some(4));
    same!(tally, reader.read(&mut large).ok(), Some(7));
    same!(tally, reader.seek(SeekFrom::End(-2)).ok(), Some(14));
    let mut rest = String::new();
    holds!(tally, reader.read_to_string(&mut rest).is_ok() && rest == "ef");
    same!(tally, format!("{:?}", BufReader::new(&b""[..])), "BufReader { reader: [], buffer: 0/8192 }");
    same!(tally, BufReader::new(&b"a\nb\nc"[..]).lines().count(), 3);
    let mut line = String::new();
    let long = "x".repeat(20_000) + "\n";
    same!(tally, BufReader::new(long.as_bytes()).read_line(&mut line).ok(), Some(20_001));
}

fn writers(tally: &mut Tally) {
    let log = Log::default();
    let mut writer = BufWriter::with_capacity(8, log.clone());
    for word in ["one", "two", "three", "a long one", "x"] {
        holds!(tally, writer.write_all(word.as_bytes()).is_ok());
    }
    same!(tally, log.seen(), "onetwo|three|a long one");
    same!(tally, writer.buffer(), b"x");
    holds!(tally, writer.flush().is_ok());
    holds!(tally, write!(writer, "{}{}", 1, 2).is_ok());
    same!(
        tally,
        format!("{:?}", BufWriter::with_capacity(5, 7_u8.to_ne_bytes().to_vec())),
        "BufWriter { writer: [7], buffer: 0/5 }"
    );
    drop(writer);
    same!(tally, log.seen(), "onetwo|three|a long one|x|flush|12");
    let writer = BufWriter::new(Vec::new());
    same!(tally, writer.capacity(), 8192);
    same!(tally, writer.into_inner().ok(), Some(Vec::new()));
    let mut writer = BufWriter::new(Cursor::new(Vec::new()));
    holds!(tally, writer.write_all(b"abc").is_ok() && writer.seek(SeekFrom::Start(1)).is_ok());
    holds!(tally, writer.write_all(b"X").is_ok());
    let (cursor, rest) = writer.into_parts();
    same!(tally, (cursor.into_inner(), rest.ok()), (b"abc".to_vec(), Some(b"X".to_vec())));
}

fn refusals(tally: &mut Tally) {
    let mut writer = BufWriter::new(Log { refuse: true, ..Log::default() });
    holds!(tally, writer.write_all(b"kept").is_ok());
    same!(tally, writer.flush().unwrap_err().to_string(), "refused");
    let error = writer.into_inner().unwrap_err();
    same!(tally, error.error().to_string(), "refused");
    same!(tally, error.to_string(), "refused");
    let mut writer = error.into_inner();
    same!(tally, writer.buffer(), b"kept");
    writer.get_mut().refuse = false;
    let log = writer.get_ref().clone();
    holds!(tally, writer.into_inner().is_ok());
    same!(tally, log.seen(), "kept");
    let mut full = [0; 2];
    let mut writer = BufWriter::new(&mut full[..]);
    holds!(tally, writer.write_all(b"abc").is_ok());
    let error = writer.flush().unwrap_err();
    same!(tally, format!("{error:?}"), "Error { kind: WriteZero, message: \"failed to write the buffered data\" }");
    same!(tally, writer.buffer(), b"c");
}

fn lines(tally: &mut Tally) {
    let log = Log::default();
    let mut writer = LineWriter::new(log.clone());
    for piece in ["a", "b", "c\nd", "e\nf\ng", "\n", "h"] {
        holds!(tally, writer.write_all(piece.as_bytes()).is_ok());
    }
    same!(tally, log.seen().replace('|', ""), "abc\nde\nf\ng\n");
    drop(writer);
    same!(tally, log.seen().replace('|', ""), "abc\nde\nf\ng\nh");
    let mut writer = LineWriter::with_capacity(4, Vec::new());
    holds!(tally, writer.write_all(b"long line\nand a long rest").is_ok());
    same!(tally, writer.into_inner().ok(), Some(b"long line\nand a long rest".to_vec()));
}
