//! Messages as they are answered.

use alloc::vec::Vec;

use crate::{
    flag, kind,
    message::{ALIGNMENT, ATTRIBUTE, HEADER, Request},
};

/// Bytes of a datagram: what Linux gives at a time to who has shown no larger buffer. Go reads by pages.
pub const DATAGRAM: usize = 3776;

/// A message that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(Vec<u8>);

impl Message {
    /// One of a kind, with what stands behind the header.
    #[must_use]
    pub fn new(kind: u16, body: &[u8]) -> Self {
        let mut bytes = alloc::vec![0; HEADER];
        bytes[4..6].copy_from_slice(&kind.to_ne_bytes());
        bytes.extend_from_slice(body);
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        Self(bytes)
    }

    /// With one attribute more.
    #[must_use]
    pub fn with(mut self, kind: u16, content: &[u8]) -> Self {
        let length = (ATTRIBUTE + content.len()) as u16;
        self.0.extend_from_slice(&length.to_ne_bytes());
        self.0.extend_from_slice(&kind.to_ne_bytes());
        self.0.extend_from_slice(content);
        self.0.resize(self.0.len().next_multiple_of(ALIGNMENT), 0);
        self
    }

    /// With a number.
    #[must_use]
    pub fn with_word(self, kind: u16, word: u32) -> Self {
        self.with(kind, &word.to_ne_bytes())
    }

    /// As bytes, with its length, the asker's number for it, and the asker's own.
    fn finish(mut self, flags: u16, sequence: u32, port: u32) -> Vec<u8> {
        let length = self.0.len() as u32;
        self.0[..4].copy_from_slice(&length.to_ne_bytes());
        self.0[6..8].copy_from_slice(&flags.to_ne_bytes());
        self.0[8..12].copy_from_slice(&sequence.to_ne_bytes());
        self.0[12..16].copy_from_slice(&port.to_ne_bytes());
        self.0
    }
}

/// Answers to the requests of one asker, as datagrams.
#[derive(Debug)]
pub struct Answers {
    port: u32,
    /// In the order in which they are to be received.
    pub datagrams: Vec<Vec<u8>>,
}

impl Answers {
    /// None yet, for who has that number.
    #[must_use]
    pub const fn new(port: u32) -> Self {
        Self { port, datagrams: Vec::new() }
    }

    /// A single answer.
    pub fn one(&mut self, request: &Request<'_>, message: Message) {
        self.datagrams.push(message.finish(0, request.sequence, self.port));
    }

    /// A list and its end, as many messages in a datagram as fit.
    pub fn list(&mut self, request: &Request<'_>, messages: impl Iterator<Item = Message>) {
        let end = Message::new(kind::DONE, &0_i32.to_ne_bytes());
        let mut datagram: Vec<u8> = Vec::new();
        for message in messages.chain([end]) {
            let bytes = message.finish(flag::MULTI, request.sequence, self.port);
            if !datagram.is_empty() && datagram.len() + bytes.len() > DATAGRAM {
                self.datagrams.push(core::mem::take(&mut datagram));
            }
            datagram.extend_from_slice(&bytes);
        }
        self.datagrams.push(datagram);
    }

    /// The result of a request: an error of errno(3), or 0. What went wrong is repeated.
    pub fn result(&mut self, request: &Request<'_>, error: i32) {
        let said = if error == 0 { &request.bytes[..HEADER] } else { request.bytes };
        let mut body = Vec::from((-error).to_ne_bytes());
        body.extend_from_slice(said);
        self.one(request, Message::new(kind::ERROR, &body));
    }
}
