//! The requests, one method each.

use alloc::{sync::Arc, vec, vec::Vec};

use vfs::{Change, Creation, FileError, FileSystem, Kind, MakeKind, Removal, Time};

use crate::{
    attributes::Attributes,
    client::{Client, NO_FID, SHORT, kind},
    fid::Fid,
    message::{HEAD, Message},
    reply::{self, Reader},
};

/// Before the contents in a reply to a read: the head and a count.
const READ_HEAD: usize = HEAD + 4;
/// Before the bytes of a write: head, fid, offset and count.
const WRITE_HEAD: usize = HEAD + 16;
/// Longest target of a symbolic link (PATH_MAX).
const TARGET: usize = 4096;
/// In an unlink request: a directory is meant (AT_REMOVEDIR).
const REMOVE_DIRECTORY: u32 = 0x200;

/// How a file is opened: Linux' flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Read = 0,
    Write = 1,
    Both = 2,
}

/// O_CREAT and O_EXCL.
const NEW: u32 = 0o300;

impl Client {
    /// A request whose reply has nothing to read but that it worked.
    fn ask(&self, kind: u8, fill: impl FnOnce(&mut Message)) -> Result<(), FileError> {
        self.ask_for(kind, fill, |_| Ok(()))
    }

    fn ask_for<R>(
        &self,
        kind: u8,
        fill: impl FnOnce(&mut Message),
        read: impl FnOnce(&mut Reader<'_>) -> Result<R, FileError>,
    ) -> Result<R, FileError> {
        let (mut message, tag) = self.request(kind);
        fill(&mut message);
        let mut buffer = [0; SHORT];
        read(&mut self.exchange(kind, tag, &[message.finish(0)], &mut buffer)?)
    }

    /// The root of the tree that the server offers.
    pub fn attach(self: &Arc<Self>) -> Result<Arc<Fid>, FileError> {
        let attach = |number| {
            self.ask(kind::ATTACH, |message| {
                message.number32(number).number32(NO_FID).string(b"root").string(b"/").number32(0);
            })
        };
        Ok(self.make(attach)?.0)
    }

    /// The entry `name` of a directory; without a name, the same once more.
    pub fn walk(self: &Arc<Self>, from: &Fid, name: Option<&[u8]>) -> Result<Arc<Fid>, FileError> {
        let walk = |number| {
            let fill = |message: &mut Message| {
                message.number32(from.number()).number32(number).number16(name.is_some().into());
                name.map(|name| message.string(name));
            };
            let steps = self.ask_for(kind::WALK, fill, |reply| reply.number16())?;
            if steps == u16::from(name.is_some()) { Ok(()) } else { Err(FileError::NotFound) }
        };
        Ok(self.make(walk)?.0)
    }

    pub fn attributes(&self, fid: &Fid) -> Result<Attributes, FileError> {
        // All that stat(2) tells.
        const BASIC: u64 = 0x7ff;
        let fill = |message: &mut Message| {
            message.number32(fid.number()).number64(BASIC);
        };
        self.ask_for(kind::GET_ATTRIBUTES, fill, Attributes::read)
    }

    pub fn set_attributes(&self, fid: &Fid, change: &Change) -> Result<(), FileError> {
        let mut valid = 0;
        for (bits, wanted) in [
            (1, change.mode.is_some()),
            (2, change.user.is_some()),
            (4, change.group.is_some()),
            (0x90, change.accessed.is_some()),
            (0x120, change.modified.is_some()),
        ] {
            valid |= if wanted { bits } else { 0 };
        }
        self.set(fid, valid, change, 0)
    }

    pub fn set_length(&self, fid: &Fid, length: u64) -> Result<(), FileError> {
        self.set(fid, 8, &Change::default(), length)
    }

    fn set(&self, fid: &Fid, valid: u32, change: &Change, length: u64) -> Result<(), FileError> {
        const SECOND: Time = 1_000_000_000;
        self.ask(kind::SET_ATTRIBUTES, |message| {
            message.number32(fid.number()).number32(valid);
            for number in [change.mode, change.user, change.group] {
                message.number32(number.unwrap_or(0));
            }
            message.number64(length);
            for time in [change.accessed, change.modified].map(Option::unwrap_or_default) {
                message.number64(time.div_euclid(SECOND) as u64).number64(time.rem_euclid(SECOND) as u64);
            }
        })
    }

    /// Opens what `fid` stands for.
    pub fn open(&self, fid: &Fid, mode: Mode) -> Result<(), FileError> {
        self.ask(kind::OPEN, |message| {
            message.number32(fid.number()).number32(mode as u32);
        })
    }

    /// Makes a file in the directory that `fid` stands for; from then on `fid` is that file, open for both.
    pub fn create(&self, fid: &Fid, name: &[u8], creation: &Creation<'_>) -> Result<(), FileError> {
        self.ask(kind::CREATE, |message| {
            message.number32(fid.number()).string(name).number32(Mode::Both as u32 | NEW);
            message.number32(creation.mode).number32(creation.owner.group);
        })
    }

    /// Makes anything else.
    pub fn make_entry(&self, directory: &Fid, name: &[u8], creation: &Creation<'_>) -> Result<(), FileError> {
        let (mode, group) = (creation.mode, creation.owner.group);
        match creation.kind {
            MakeKind::Directory => self.ask(kind::MAKE_DIRECTORY, |message| {
                message.number32(directory.number()).string(name).number32(mode).number32(group);
            }),
            MakeKind::Link(target) => self.symlink(directory, name, target, group),
            MakeKind::File => self.make_node(directory, name, (Kind::Regular, (0, 0)), mode, group),
            MakeKind::Special(kind, number) => self.make_node(directory, name, (kind, number), mode, group),
        }
    }

    fn make_node(
        &self,
        directory: &Fid,
        name: &[u8],
        (what, number): (Kind, (u32, u32)),
        mode: u32,
        group: u32,
    ) -> Result<(), FileError> {
        self.ask(kind::MAKE_NODE, |message| {
            message.number32(directory.number()).string(name).number32(what.bits() | mode);
            message.number32(number.0).number32(number.1).number32(group);
        })
    }

    fn symlink(&self, directory: &Fid, name: &[u8], target: &[u8], group: u32) -> Result<(), FileError> {
        if target.len() >= TARGET {
            return Err(FileError::NameTooLong);
        }
        let (mut message, tag) = self.request(kind::SYMLINK);
        message.number32(directory.number()).string(name).number16(target.len() as u16);
        let group = group.to_le_bytes();
        let head = message.finish(target.len() + group.len());
        self.exchange(kind::SYMLINK, tag, &[head, target, &group], &mut [0; SHORT]).map(|_| ())
    }

    pub fn read_link(&self, fid: &Fid) -> Result<Vec<u8>, FileError> {
        let (mut message, tag) = self.request(kind::READ_LINK);
        message.number32(fid.number());
        let mut buffer = vec![0; HEAD + 2 + TARGET];
        let mut reply = self.exchange(kind::READ_LINK, tag, &[message.finish(0)], &mut buffer)?;
        Ok(reply.string()?.to_vec())
    }

    pub fn link(&self, directory: &Fid, name: &[u8], file: &Fid) -> Result<(), FileError> {
        self.ask(kind::LINK, |message| {
            message.number32(directory.number()).number32(file.number()).string(name);
        })
    }

    pub fn rename(&self, from: &Fid, name: &[u8], to: &Fid, new_name: &[u8]) -> Result<(), FileError> {
        self.ask(kind::RENAME, |message| {
            message.number32(from.number()).string(name).number32(to.number()).string(new_name);
        })
    }

    pub fn unlink(&self, directory: &Fid, name: &[u8], removal: Removal) -> Result<(), FileError> {
        let flags = if removal == Removal::Directory { REMOVE_DIRECTORY } else { 0 };
        self.ask(kind::UNLINK, |message| {
            message.number32(directory.number()).string(name).number32(flags);
        })
    }

    pub fn sync(&self, fid: &Fid, metadata: bool) -> Result<(), FileError> {
        self.ask(kind::SYNC, |message| {
            message.number32(fid.number()).number32(u32::from(!metadata));
        })
    }

    pub fn file_system(&self, fid: &Fid) -> Result<FileSystem, FileError> {
        // What Linux answers for its own client, whatever is behind the server.
        const MAGIC: u64 = 0x0102_1997;
        let fill = |message: &mut Message| {
            message.number32(fid.number());
        };
        self.ask_for(kind::STATFS, fill, |reply| {
            let _its_magic = reply.number32()?;
            let block_size = reply.number32()?.into();
            let (blocks, free, _available) = (reply.number64()?, reply.number64()?, reply.number64()?);
            let (files, free_files) = (reply.number64()?, reply.number64()?);
            Ok(FileSystem { magic: MAGIC, block_size, blocks, free, files, free_files })
        })
    }

    /// Reads from an open file into `parts`; 0 at its end.
    pub fn read(&self, fid: &Fid, offset: u64, parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        let mut head = [0; READ_HEAD];
        let (mut room, most) = (0, self.size() - READ_HEAD);
        let mut places = Vec::with_capacity(1 + parts.len().min(self.reply_parts() - 1));
        places.push(&mut head[..]);
        for part in parts.iter_mut().take(self.reply_parts() - 1) {
            let count = part.len().min(most - room);
            room += count;
            places.extend(part.get_mut(..count).filter(|part| !part.is_empty()));
        }
        let (mut message, tag) = self.request(kind::READ);
        message.number32(fid.number()).number64(offset).number32(room as u32);
        let length = self.scatter(&[message.finish(0)], &mut places)?;
        let mut reply = reply::open(&head[..length.min(READ_HEAD)], kind::READ, tag)?;
        let count = reply.number32()? as usize;
        if count <= room && length == READ_HEAD + count { Ok(count) } else { Err(FileError::Failed) }
    }

    /// Writes to an open file, as much as one message carries; says how much that was.
    pub fn write(&self, fid: &Fid, offset: u64, bytes: &[u8]) -> Result<usize, FileError> {
        let bytes = &bytes[..bytes.len().min(self.size() - WRITE_HEAD)];
        let (mut message, tag) = self.request(kind::WRITE);
        message.number32(fid.number()).number64(offset).number32(bytes.len() as u32);
        let mut buffer = [0; SHORT];
        let request = [message.finish(bytes.len()), bytes];
        let count = self.exchange(kind::WRITE, tag, &request, &mut buffer)?.number32()? as usize;
        if count <= bytes.len() { Ok(count) } else { Err(FileError::Failed) }
    }

    /// Reads entries of an open directory from `offset` on into `buffer`; a reader of them, empty at the end.
    pub fn read_directory<'a>(&self, fid: &Fid, offset: u64, buffer: &'a mut [u8]) -> Result<Reader<'a>, FileError> {
        let (mut message, tag) = self.request(kind::READ_DIRECTORY);
        let room = buffer.len().min(self.size()) - READ_HEAD;
        message.number32(fid.number()).number64(offset).number32(room as u32);
        let mut reply = self.exchange(kind::READ_DIRECTORY, tag, &[message.finish(0)], buffer)?;
        let count = reply.number32()? as usize;
        Ok(Reader::new(reply.bytes(count)?))
    }
}
