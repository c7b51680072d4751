//! The header before each packet (section 5.1.6), which Linux' TAP devices have too (`IFF_VNET_HDR`).

use packets::{Checksum, Malformed, Offload, Packet, Segmentation, SegmentationKind};

/// Its bytes, where the device is of version 1.
pub const HEADER: usize = 12;

/// Of the flags: the checksum is to be completed; it was looked at and is right.
const NEEDS_CHECKSUM: u8 = 1;
const DATA_VALID: u8 = 2;
/// Kinds of segments, and the bit that congestion was met on their way, which is of no concern here.
const NONE: u8 = 0;
const TCP_IPV4: u8 = 1;
const TCP_IPV6: u8 = 4;
const UDP: u8 = 5;
const CONGESTION: u8 = 0x80;

/// Where fields are.
const HEADERS_LENGTH: usize = 2;
const SEGMENT_SIZE: usize = 4;
const CHECKSUM_START: usize = 6;
const CHECKSUM_OFFSET: usize = 8;
const BUFFERS: usize = 10;

/// The header for a packet of `length` bytes to be sent; `None` if its offloads contradict themselves: segments need a
/// checksum that the device completes, and it lies inside the packet.
#[must_use]
pub fn encode(packet: &Packet, length: usize) -> Option<[u8; HEADER]> {
    let Offload { checksum, segmentation } = packet.offload;
    // As two numbers: each packet has one, and bytes would be written one by one.
    let (mut first, mut last) = (0_u64, 0_u32);
    let put = |to: &mut u64, at: usize, word: u16| *to |= u64::from(word) << (8 * at);
    if let Checksum::Partial { start, offset } = checksum {
        check(start, offset, length).ok()?;
        put(&mut first, 0, NEEDS_CHECKSUM.into());
        put(&mut first, CHECKSUM_START, start);
        last = offset.into();
    }
    if let Some(segmentation) = segmentation {
        let Checksum::Partial { start, .. } = checksum else { return None };
        put(&mut first, 1, number(segmentation.kind).into());
        put(&mut first, HEADERS_LENGTH, headers_length(packet, start, segmentation.kind));
        put(&mut first, SEGMENT_SIZE, Some(segmentation.size).filter(|&size| size > 0)?);
    }
    let mut header = [0; HEADER];
    header[..CHECKSUM_OFFSET].copy_from_slice(&first.to_le_bytes());
    header[CHECKSUM_OFFSET..].copy_from_slice(&last.to_le_bytes());
    Some(header)
}

/// Bytes of all headers, as a hint.
fn headers_length(packet: &Packet, start: u16, kind: SegmentationKind) -> u16 {
    const TCP_DATA_OFFSET: usize = 12;
    let transport = match kind {
        SegmentationKind::Udp => packets::udp::HEADER as u16,
        _ => {
            let words = packet.front().get(usize::from(start) + TCP_DATA_OFFSET).map_or(5, |byte| byte >> 4);
            u16::from(words) * 4
        }
    };
    start.saturating_add(transport)
}

const fn number(kind: SegmentationKind) -> u8 {
    match kind {
        SegmentationKind::TcpIpv4 => TCP_IPV4,
        SegmentationKind::TcpIpv6 => TCP_IPV6,
        SegmentationKind::Udp => UDP,
    }
}

/// The checksum's place must be inside.
fn check(start: u16, offset: u16, length: usize) -> Result<(), Malformed> {
    let end = usize::from(start) + usize::from(offset) + 2;
    if end <= length { Ok(()) } else { Err(Malformed::Short) }
}

/// What a device says of a packet of `length` bytes that has come.
pub fn decode(header: &[u8; HEADER], length: usize) -> Result<Offload, Malformed> {
    let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let checksum = if header[0] & NEEDS_CHECKSUM != 0 {
        let (start, offset) = (word(CHECKSUM_START), word(CHECKSUM_OFFSET));
        check(start, offset, length)?;
        Checksum::Partial { start, offset }
    } else if header[0] & DATA_VALID != 0 {
        Checksum::Good
    } else {
        Checksum::Complete
    };
    let kind = match header[1] & !CONGESTION {
        NONE => return Ok(Offload { checksum, segmentation: None }),
        TCP_IPV4 => SegmentationKind::TcpIpv4,
        TCP_IPV6 => SegmentationKind::TcpIpv6,
        UDP => SegmentationKind::Udp,
        _ => return Err(Malformed::Version),
    };
    let size = word(SEGMENT_SIZE);
    // Segments that were put together have lost their own checksums, so the device must vouch for them.
    if size == 0 || checksum == Checksum::Complete {
        return Err(Malformed::Length);
    }
    Ok(Offload { checksum, segmentation: Some(Segmentation { kind, size }) })
}

/// In how many buffers a packet has come, which must have been agreed about.
pub(super) fn buffers(header: &[u8; HEADER]) -> u16 {
    u16::from_le_bytes([header[BUFFERS], header[BUFFERS + 1]])
}
