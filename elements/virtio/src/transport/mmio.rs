//! Devices in memory space, register layout version 2 (section 4.2).

use super::{Registers, Status, Transport};
use crate::queue::Areas;

/// Register offsets (section 4.2.2).
mod register {
    pub(super) const MAGIC: usize = 0x000;
    pub(super) const VERSION: usize = 0x004;
    pub(super) const DEVICE_ID: usize = 0x008;
    pub(super) const DEVICE_FEATURES: usize = 0x010;
    pub(super) const DEVICE_FEATURES_SELECT: usize = 0x014;
    pub(super) const DRIVER_FEATURES: usize = 0x020;
    pub(super) const DRIVER_FEATURES_SELECT: usize = 0x024;
    pub(super) const QUEUE_SELECT: usize = 0x030;
    pub(super) const QUEUE_SIZE_MAX: usize = 0x034;
    pub(super) const QUEUE_SIZE: usize = 0x038;
    pub(super) const QUEUE_READY: usize = 0x044;
    pub(super) const QUEUE_NOTIFY: usize = 0x050;
    pub(super) const INTERRUPT_STATUS: usize = 0x060;
    pub(super) const INTERRUPT_ACKNOWLEDGE: usize = 0x064;
    pub(super) const STATUS: usize = 0x070;
    pub(super) const QUEUE_DESCRIPTORS: usize = 0x080;
    pub(super) const QUEUE_AVAILABLE: usize = 0x090;
    pub(super) const QUEUE_USED: usize = 0x0a0;
}

/// "virt", little endian.
const MAGIC: u32 = 0x7472_6976;
/// The first layout that is not legacy.
const VERSION: u32 = 2;

/// A device in memory space.
#[derive(Debug)]
pub struct Mmio<R> {
    registers: R,
}

/// Why there is no device to drive at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeError {
    /// The first word is not virtio's.
    NotVirtio,
    /// Another register layout: 1 is the legacy one (QEMU: `-global virtio-mmio.force-legacy=false` gives 2).
    Version(u32),
    /// A place without a device.
    Empty,
}

impl<R: Registers> Mmio<R> {
    /// Looks whether a device is there (section 4.2.3.1.1).
    pub fn probe(registers: R) -> Result<Self, ProbeError> {
        if registers.read32(register::MAGIC) != MAGIC {
            return Err(ProbeError::NotVirtio);
        }
        match registers.read32(register::VERSION) {
            VERSION => {}
            other => return Err(ProbeError::Version(other)),
        }
        match registers.read32(register::DEVICE_ID) {
            0 => Err(ProbeError::Empty),
            _ => Ok(Self { registers }),
        }
    }

    fn write_address(&self, offset: usize, address: u64) {
        self.registers.write32(offset, address as u32);
        self.registers.write32(offset + 4, (address >> 32) as u32);
    }
}

/// Ends an interrupt: reads why it came and acknowledges that (section 4.2.3.4). For interrupt handlers, which have
/// only the registers; bit 0 is "a buffer was used".
pub fn acknowledge_interrupt(registers: &impl Registers) -> u32 {
    let reasons = registers.read32(register::INTERRUPT_STATUS);
    if reasons != 0 {
        registers.write32(register::INTERRUPT_ACKNOWLEDGE, reasons);
    }
    reasons
}

impl<R: Registers> Transport for Mmio<R> {
    fn device_id(&self) -> u32 {
        self.registers.read32(register::DEVICE_ID)
    }

    fn status(&self) -> Status {
        Status::from_bits_retain(self.registers.read32(register::STATUS) as u8)
    }

    fn set_status(&mut self, status: Status) {
        self.registers.write32(register::STATUS, u32::from(status.bits()));
    }

    fn offered_features(&mut self) -> u64 {
        let half = |select| {
            self.registers.write32(register::DEVICE_FEATURES_SELECT, select);
            u64::from(self.registers.read32(register::DEVICE_FEATURES))
        };
        half(0) | half(1) << 32
    }

    fn accept_features(&mut self, features: u64) {
        for (select, half) in [(0, features as u32), (1, (features >> 32) as u32)] {
            self.registers.write32(register::DRIVER_FEATURES_SELECT, select);
            self.registers.write32(register::DRIVER_FEATURES, half);
        }
    }

    fn queue_limit(&mut self, queue: u16) -> u16 {
        self.registers.write32(register::QUEUE_SELECT, u32::from(queue));
        u16::try_from(self.registers.read32(register::QUEUE_SIZE_MAX)).unwrap_or(u16::MAX)
    }

    fn start_queue(&mut self, queue: u16, size: u16, areas: &Areas) -> bool {
        self.registers.write32(register::QUEUE_SELECT, u32::from(queue));
        self.registers.write32(register::QUEUE_SIZE, u32::from(size));
        self.write_address(register::QUEUE_DESCRIPTORS, areas.descriptors);
        self.write_address(register::QUEUE_AVAILABLE, areas.available);
        self.write_address(register::QUEUE_USED, areas.used);
        self.registers.write32(register::QUEUE_READY, 1);
        true
    }

    fn notify(&self, queue: u16) {
        self.registers.write32(register::QUEUE_NOTIFY, u32::from(queue));
    }
}
