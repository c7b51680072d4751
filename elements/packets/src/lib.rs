//! Packets without an operating system: what network interfaces and protocols hand to each other.
//!
//! A [`Packet`] is one frame on its way, sent or received. Its memory is owned and counted, never copied on the way:
//! [`bytes::Bytes`] are stretches that several may hold, so a segment stays for a retransmission while a device reads
//! it. Its [`Offload`] says in neutral words what a device has done, or shall do, with checksums and segments.
//!
//! The headers that each packet has are structures here ([`ethernet`], [`ipv4`], [`ipv6`], [`udp`], [`tcp`]), over
//! [`checksum`]s. Parsers take foreign bytes: they answer `None` or an error, and never panic.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod checksum;
pub mod ethernet;
pub mod ipv4;
pub mod ipv6;
mod offload;
mod packet;
pub mod tcp;
#[cfg(test)]
mod tests;
mod time;
pub mod udp;

pub use bytes::{Bytes, BytesMut};
pub use offload::{Checksum, Offload, Segmentation, SegmentationKind};
pub use packet::{HEAD, HEADROOM, Head, Packet, Parts};
pub use time::Instant;

/// Why bytes are not the header that they were taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// They end before the header does, or before what it says follows.
    Short,
    /// A length in it cannot be.
    Length,
    /// It is of another version.
    Version,
    /// Its own checksum is wrong.
    Checksum,
}
