//! Reading replies. Whatever is missing or wrong is [`FileError::Failed`].

use vfs::FileError;

use crate::message::HEAD;

/// The kind of a reply that tells an error.
const ERROR: u8 = 7;

/// What is left to read.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

/// What a file is to its server (intro(5)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Qid {
    pub version: u32,
    /// Its own number, which no other file has.
    pub path: u64,
}

impl<'a> Reader<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], FileError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or(FileError::Failed)?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        self.bytes(N)?.try_into().map_err(|_| FileError::Failed)
    }

    pub fn number8(&mut self) -> Result<u8, FileError> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn number16(&mut self) -> Result<u16, FileError> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn number32(&mut self) -> Result<u32, FileError> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn number64(&mut self) -> Result<u64, FileError> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn string(&mut self) -> Result<&'a [u8], FileError> {
        let length = self.number16()?;
        self.bytes(length.into())
    }

    pub fn qid(&mut self) -> Result<Qid, FileError> {
        // What it is, is told by the attributes, and in more detail.
        let _kind = self.number8()?;
        Ok(Qid { version: self.number32()?, path: self.number64()? })
    }

    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

/// What follows the head of the reply to a request of kind `asked`.
pub fn open(bytes: &[u8], asked: u8, tag: u16) -> Result<Reader<'_>, FileError> {
    let mut reader = Reader::new(bytes);
    let (size, kind, its_tag) = (reader.number32()?, reader.number8()?, reader.number16()?);
    if its_tag != tag || (size as usize) < HEAD {
        return Err(FileError::Failed);
    }
    match kind {
        ERROR => Err(FileError::of_host(reader.number32()?)),
        _ if kind == asked + 1 => Ok(reader),
        _ => Err(FileError::Failed),
    }
}
