//! Where the three areas of a split virtqueue lie (section 2.7).

/// Bytes of a descriptor: address 64, length 32, flags 16, next 16 bits (section 2.7.5).
const DESCRIPTOR: usize = 16;
/// Bytes of an element of the used ring: id 32, length 32 bits (section 2.7.8).
const USED_ELEMENT: usize = 8;
/// Offset of the ring in both other areas: behind flags and index, 16 bits each.
pub(super) const RING: usize = 4;
/// Bytes a queue of `size` descriptors needs, all areas together.
#[must_use]
pub const fn queue_bytes(size: usize) -> usize {
    used_offset(size) + RING + USED_ELEMENT * size + 2
}

pub(super) const fn available_offset(size: usize) -> usize {
    DESCRIPTOR * size
}

/// The used ring is aligned to 4 bytes.
pub(super) const fn used_offset(size: usize) -> usize {
    (available_offset(size) + RING + 2 * size + 2).next_multiple_of(4)
}

/// Where the driver says which used index it wants an interrupt for, behind the available ring (section 2.7.10).
pub(super) const fn used_event_offset(size: usize) -> usize {
    available_offset(size) + RING + 2 * size
}

/// Where the device says which available index it wants a notification for, behind the used ring.
pub(super) const fn available_event_offset(size: usize) -> usize {
    used_offset(size) + RING + USED_ELEMENT * size
}

/// Where the device finds the areas.
#[derive(Clone, Copy, Debug)]
pub struct Areas {
    /// Descriptor table: what and where the buffers are.
    pub descriptors: u64,
    /// Available ring: buffers offered, written by the driver.
    pub available: u64,
    /// Used ring: buffers done, written by the device.
    pub used: u64,
}
