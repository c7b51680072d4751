//! Devices on the PCI bus, the modern interface (section 4.1).

mod capabilities;

pub use capabilities::{Configuration, Layout, MessageTable, Place, bar, device_id};

use super::{Registers, Status, Transport, Vector};
use crate::queue::Areas;

/// Offsets in the common configuration (section 4.1.4.3).
mod common {
    pub(super) const DEVICE_FEATURES_SELECT: usize = 0x00;
    pub(super) const DEVICE_FEATURES: usize = 0x04;
    pub(super) const DRIVER_FEATURES_SELECT: usize = 0x08;
    pub(super) const DRIVER_FEATURES: usize = 0x0c;
    pub(super) const QUEUES: usize = 0x12;
    pub(super) const STATUS: usize = 0x14;
    pub(super) const QUEUE_SELECT: usize = 0x16;
    pub(super) const QUEUE_SIZE: usize = 0x18;
    pub(super) const QUEUE_VECTOR: usize = 0x1a;
    pub(super) const QUEUE_ENABLE: usize = 0x1c;
    pub(super) const QUEUE_NOTIFY_OFFSET: usize = 0x1e;
    pub(super) const QUEUE_DESCRIPTORS: usize = 0x20;
    pub(super) const QUEUE_AVAILABLE: usize = 0x28;
    pub(super) const QUEUE_USED: usize = 0x30;
}

/// Queues whose place of notification is remembered: more than any device here uses, a network device with eight pairs
/// and its control being the largest.
const QUEUES: usize = 24;

/// Bytes of [`Layout::common`] that are used.
pub const COMMON: usize = 0x38;

/// The window of [`Layout::notify`].
pub trait Doorbells {
    /// Writes the number of a queue to the 16-bit register at `offset`, if that is inside.
    fn ring(&self, offset: usize, queue: u16);
}

/// The windows a platform has mapped for a [`Layout`].
#[derive(Debug)]
pub struct Windows<R, D> {
    /// [`Layout::common`], of which [`COMMON`] bytes are used.
    pub common: R,
    /// [`Layout::notify`].
    pub notify: D,
}

/// A device on the PCI bus.
#[derive(Debug)]
pub struct Pci<R, D> {
    windows: Windows<R, D>,
    device_id: u32,
    notify_multiplier: u32,
    notify_offsets: [u16; QUEUES],
    vector: Vector,
}

impl<R: Registers, D: Doorbells> Pci<R, D> {
    /// A device whose queues all interrupt through entry `vector` of its message table.
    #[must_use]
    pub fn new(device_id: u32, windows: Windows<R, D>, notify_multiplier: u32, vector: Vector) -> Self {
        Self { windows, device_id, notify_multiplier, notify_offsets: [0; QUEUES], vector }
    }

    fn write_address(&self, offset: usize, address: u64) {
        self.windows.common.write32(offset, address as u32);
        self.windows.common.write32(offset + 4, (address >> 32) as u32);
    }
}

impl<R: Registers, D: Doorbells> Transport for Pci<R, D> {
    fn device_id(&self) -> u32 {
        self.device_id
    }

    fn status(&self) -> Status {
        Status::from_bits_retain(self.windows.common.read8(common::STATUS))
    }

    fn set_status(&mut self, status: Status) {
        self.windows.common.write8(common::STATUS, status.bits());
    }

    fn offered_features(&mut self) -> u64 {
        let half = |select| {
            self.windows.common.write32(common::DEVICE_FEATURES_SELECT, select);
            u64::from(self.windows.common.read32(common::DEVICE_FEATURES))
        };
        half(0) | half(1) << 32
    }

    fn accept_features(&mut self, features: u64) {
        for (select, half) in [(0, features as u32), (1, (features >> 32) as u32)] {
            self.windows.common.write32(common::DRIVER_FEATURES_SELECT, select);
            self.windows.common.write32(common::DRIVER_FEATURES, half);
        }
    }

    fn queue_limit(&mut self, queue: u16) -> u16 {
        if queue >= self.windows.common.read16(common::QUEUES) || usize::from(queue) >= QUEUES {
            return 0;
        }
        self.windows.common.write16(common::QUEUE_SELECT, queue);
        self.windows.common.read16(common::QUEUE_SIZE)
    }

    fn start_queue(&mut self, queue: u16, size: u16, areas: &Areas) -> bool {
        let Some(notify_offset) = self.notify_offsets.get_mut(usize::from(queue)) else { return false };
        let registers = &self.windows.common;
        registers.write16(common::QUEUE_SELECT, queue);
        *notify_offset = registers.read16(common::QUEUE_NOTIFY_OFFSET);
        registers.write16(common::QUEUE_SIZE, size);
        // A device that has no such vector answers with "none", 0xffff (section 4.1.5.1.2.1).
        registers.write16(common::QUEUE_VECTOR, self.vector.0);
        if registers.read16(common::QUEUE_VECTOR) != self.vector.0 {
            return false;
        }
        self.write_address(common::QUEUE_DESCRIPTORS, areas.descriptors);
        self.write_address(common::QUEUE_AVAILABLE, areas.available);
        self.write_address(common::QUEUE_USED, areas.used);
        self.windows.common.write16(common::QUEUE_ENABLE, 1);
        true
    }

    fn notify(&self, queue: u16) {
        // Section 4.1.4.4: where a queue is notified is the device's choice.
        let Some(&offset) = self.notify_offsets.get(usize::from(queue)) else { return };
        let offset = u64::from(offset) * u64::from(self.notify_multiplier);
        self.windows.notify.ring(offset as usize, queue);
    }
}
