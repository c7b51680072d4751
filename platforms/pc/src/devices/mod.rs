//! Devices that only a PC has: its ports, the serial port, the bus by ports. Virtio is the crate `virtio_devices`.

pub mod pci;
pub mod port;
pub mod uart;
