//! One connection: tags, fids, and exchanging messages.

use alloc::{boxed::Box, sync::Arc};
use core::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use sync::Mutex;
use vfs::FileError;

use crate::{
    Transport,
    message::Message,
    numbers::Numbers,
    reply::{self, Reader},
};

/// Kinds of requests; a reply's is one more.
pub mod kind {
    pub const STATFS: u8 = 8;
    pub const OPEN: u8 = 12;
    pub const CREATE: u8 = 14;
    pub const SYMLINK: u8 = 16;
    pub const MAKE_NODE: u8 = 18;
    pub const READ_LINK: u8 = 22;
    pub const GET_ATTRIBUTES: u8 = 24;
    pub const SET_ATTRIBUTES: u8 = 26;
    pub const READ_DIRECTORY: u8 = 40;
    pub const SYNC: u8 = 50;
    pub const LINK: u8 = 70;
    pub const MAKE_DIRECTORY: u8 = 72;
    pub const RENAME: u8 = 74;
    pub const UNLINK: u8 = 76;
    pub const VERSION: u8 = 100;
    pub const ATTACH: u8 = 104;
    pub const WALK: u8 = 110;
    pub const READ: u8 = 116;
    pub const WRITE: u8 = 118;
    pub const CLUNK: u8 = 120;
}

/// The tag of the first message, and the fid that is none.
const NO_TAG: u16 = u16::MAX;
pub const NO_FID: u32 = u32::MAX;
/// Bytes of any reply but those that carry contents, entries or a link's target.
pub const SHORT: usize = 192;
/// Least bytes of a message that are of use.
const LEAST_SIZE: u32 = 4096;

/// A connection.
pub struct Client {
    transport: Box<dyn Transport>,
    size: AtomicU32,
    tag: AtomicU16,
    /// Numbers of fids.
    pub numbers: Mutex<Numbers>,
}

impl Client {
    /// Agrees about the version with the server.
    pub fn connect(transport: Box<dyn Transport>) -> Result<Arc<Self>, FileError> {
        const VERSION: &[u8] = b"9P2000.L";
        let wanted = transport.message_size();
        let size = AtomicU32::new(wanted);
        let client = Self { transport, size, tag: AtomicU16::new(0), numbers: Mutex::default() };
        let mut message = Message::new(kind::VERSION, NO_TAG);
        message.number32(wanted).string(VERSION);
        let mut buffer = [0; SHORT];
        let mut reply = client.exchange(kind::VERSION, NO_TAG, &[message.finish(0)], &mut buffer)?;
        let size = reply.number32()?;
        if reply.string()? != VERSION || !(LEAST_SIZE..=wanted).contains(&size) {
            return Err(FileError::Unsupported);
        }
        client.size.store(size, Ordering::Relaxed);
        Ok(Arc::new(client))
    }

    /// Most bytes of a message.
    pub fn size(&self) -> usize {
        self.size.load(Ordering::Relaxed) as usize
    }

    /// Most parts of a reply.
    pub fn reply_parts(&self) -> usize {
        self.transport.reply_parts()
    }

    /// Begins a request.
    pub fn request(&self, kind: u8) -> (Message, u16) {
        // There are never as many requests under way as there are tags.
        let tag = self.tag.fetch_add(1, Ordering::Relaxed) % NO_TAG;
        (Message::new(kind, tag), tag)
    }

    /// Sends a request and reads the reply into `buffer`.
    pub fn exchange<'a>(
        &self,
        kind: u8,
        tag: u16,
        request: &[&[u8]],
        buffer: &'a mut [u8],
    ) -> Result<Reader<'a>, FileError> {
        let length = self.scatter(request, &mut [&mut *buffer])?;
        reply::open(buffer.get(..length).ok_or(FileError::Failed)?, kind, tag)
    }

    /// As [`Client::exchange`], for a reply in parts: its length.
    pub fn scatter(&self, request: &[&[u8]], parts: &mut [&mut [u8]]) -> Result<usize, FileError> {
        sync::might_sleep();
        self.transport.exchange(request, parts).map_err(|_| FileError::Failed)
    }

    /// The server forgets a fid, whatever it answers.
    pub fn clunk(&self, number: u32) {
        let (mut message, tag) = self.request(kind::CLUNK);
        message.number32(number);
        let _ = self.exchange(kind::CLUNK, tag, &[message.finish(0)], &mut [0; SHORT]);
        self.numbers.lock().give_back(number);
    }
}
