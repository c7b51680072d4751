//! How a device is reached: what all transports can do, and the registers they do it with.

pub mod mmio;
pub mod pci;

use crate::queue::Areas;

bitflags::bitflags! {
    /// The device status field (section 2.1).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Status: u8 {
        /// The driver has seen the device.
        const ACKNOWLEDGE = 1;
        /// The driver knows how to drive it.
        const DRIVER = 2;
        /// The driver is ready: the device works from now on.
        const DRIVER_OK = 4;
        /// Driver and device agree about features.
        const FEATURES_OK = 8;
        /// The device wants to be reset.
        const DEVICE_NEEDS_RESET = 64;
        /// The driver has given up.
        const FAILED = 128;
    }
}

/// Registers in a window of physical memory. Offsets are bytes from its start; an access that is not inside does
/// nothing and reads as zero.
pub trait Registers {
    /// Reads 8 bits.
    fn read8(&self, offset: usize) -> u8;
    /// Reads 16 bits.
    fn read16(&self, offset: usize) -> u16;
    /// Reads 32 bits.
    fn read32(&self, offset: usize) -> u32;
    /// Writes 8 bits.
    fn write8(&self, offset: usize, value: u8);
    /// Writes 16 bits.
    fn write16(&self, offset: usize, value: u16);
    /// Writes 32 bits.
    fn write32(&self, offset: usize, value: u32);
}

/// Where a device sends its interrupts, where that is the driver's to say (PCI).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector(pub u16);

/// A device behind some transport.
pub trait Transport {
    /// What the device is (section 5), 1 a network card and so on; 0 if there is none.
    fn device_id(&self) -> u32;
    /// The device status.
    fn status(&self) -> Status;
    /// Sets the device status; empty resets the device.
    fn set_status(&mut self, status: Status);
    /// What the device offers.
    fn offered_features(&mut self) -> u64;
    /// What the driver takes of it.
    fn accept_features(&mut self, features: u64);
    /// Most descriptors queue `queue` may have; 0 if there is no such queue.
    fn queue_limit(&mut self, queue: u16) -> u16;
    /// Hands a queue over and turns it on. `false` if the device refuses its interrupt vector.
    fn start_queue(&mut self, queue: u16, size: u16, areas: &Areas) -> bool;
    /// Tells the device that buffers were added to a queue.
    fn notify(&self, queue: u16);
}
