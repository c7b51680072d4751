//! Doing by the processor what a device would do with a checksum.

use packets::{Bytes, Checksum, Packet, Parts, checksum::Sum, udp};

/// All bytes of a packet, with its checksum complete; `None` if it stands for several segments, or says that its
/// checksum is where it has no bytes.
pub fn completed(packet: &Packet) -> Option<alloc::vec::Vec<u8>> {
    let mut bytes = packet.to_vec();
    match packet.offload.checksum {
        _ if packet.offload.segmentation.is_some() => return None,
        Checksum::Complete | Checksum::Good => {}
        Checksum::Partial { start, offset } => {
            let (start, offset) = (usize::from(start), usize::from(offset));
            // A sum of 0 has a second form, which is right for each protocol: for UDP the first one would mean "none".
            let sum = udp::written(Sum::new().with(bytes.get(start..)?).finish());
            bytes.get_mut(start + offset..start + offset + 2)?.copy_from_slice(&sum.to_be_bytes());
        }
    }
    Some(bytes)
}

/// A packet of one stretch, as it comes from a link.
pub fn plain(bytes: alloc::vec::Vec<u8>) -> Packet {
    let mut parts = Parts::new();
    parts.push(Bytes::from(bytes));
    Packet { parts, ..Packet::default() }
}
