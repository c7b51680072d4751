//! What a device does for the protocols, in words that no device's specification owns.
//!
//! A device's own header (virtio 1.2, 5.1.6; Linux' `virtio_net_hdr`) is foreign bytes. Who reads it makes one of
//! these, after looking whether what it says can be.

/// What a device shall do with a packet, or has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offload {
    /// Whose are the checksums of its transport protocol.
    pub checksum: Checksum,
    /// It stands for several segments.
    pub segmentation: Option<Segmentation>,
}

/// The state of the checksum of TCP or UDP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checksum {
    /// It is in the packet: written by who sends it, and to be looked at by who receives it.
    #[default]
    Complete,
    /// The device has looked at it, and it is right. Received packets only.
    Good,
    /// It is not computed. Its field holds the sum of the pseudo header; the sum goes from `start` to the packet's end,
    /// and its complement belongs to `start + offset`. A device does it, or nobody, where the packet never leaves this
    /// machine: a receiver takes it as right.
    Partial {
        /// The first byte that counts, from the frame's beginning.
        start: u16,
        /// Where the field is, from `start`.
        offset: u16,
    },
}

/// A packet that is longer than its link allows: a device cuts it into segments, or has put it together from some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segmentation {
    /// Of which protocols.
    pub kind: SegmentationKind,
    /// Bytes of payload in each segment, the last one excepted; not zero.
    pub size: u16,
}

/// Which protocols a device can cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentationKind {
    /// TCP over IPv4.
    TcpIpv4,
    /// TCP over IPv6.
    TcpIpv6,
    /// UDP over either, in datagrams of one length each.
    Udp,
}
