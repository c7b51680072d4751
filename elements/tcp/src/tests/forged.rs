//! Segments that no machine has sent.

use alloc::vec::Vec;
use core::net::IpAddr;

use packets::tcp::{Flags, Header, Options, SequenceNumber};
use zerocopy::IntoBytes;

use super::world::{PORT, World, complete};
use crate::Congestion;

/// A segment that no machine has sent.
#[derive(Clone)]
pub struct Forged {
    pub ports: (u16, u16),
    pub sequence: SequenceNumber,
    pub acknowledgment: SequenceNumber,
    pub flags: Flags,
    pub window: u16,
    pub urgent: u16,
    pub options: Options,
    pub payload: Vec<u8>,
}

impl Forged {
    /// As the peer's next acknowledgment would be, after the last segment that `from` has sent.
    pub fn after<C: Congestion>(world: &World<C>, from: usize) -> Self {
        let last = world.log.iter().rev().find(|seen| seen.from == from).unwrap();
        let length = last.payload.len() as u32 + u32::from(last.has(Flags::SYN)) + u32::from(last.has(Flags::FIN));
        Self {
            ports: (last.header.source.get(), last.header.destination.get()),
            sequence: last.header.sequence() + length,
            acknowledgment: last.header.acknowledgment(),
            flags: Flags::ACK,
            window: 512,
            urgent: 0,
            options: Options { timestamps: last.options.timestamps, ..Options::default() },
            payload: Vec::new(),
        }
    }

    /// A SYN from a port.
    pub fn syn(port: u16, sequence: u32) -> Self {
        Self {
            ports: (port, PORT),
            sequence: SequenceNumber(sequence),
            acknowledgment: SequenceNumber(0),
            flags: Flags::SYN,
            window: 65_535,
            urgent: 0,
            options: Options { segment_size: Some(1460), ..Options::default() },
            payload: Vec::new(),
        }
    }

    pub fn bytes(&self, from: IpAddr, to: IpAddr) -> Vec<u8> {
        let mut options = [0; 40];
        let length = self.options.emit(&mut options);
        let mut header = Header::new(self.ports, self.sequence, self.acknowledgment, self.flags, length);
        (header.window, header.urgent) = (self.window.into(), self.urgent.into());
        let mut bytes = header.as_bytes().to_vec();
        bytes.extend_from_slice(&options[..length]);
        bytes.extend_from_slice(&self.payload);
        complete(&mut bytes, from, to);
        bytes
    }
}
