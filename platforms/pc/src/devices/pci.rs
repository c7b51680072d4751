//! The PCI bus through configuration mechanism #1 (PCI 3.0, section 3.2.2.3.2), which q35 has and microvm has not.

use virtio::transport::pci::Configuration;

use super::port::Port;

const ADDRESS: Port = Port(0xcf8);
const DATA: Port = Port(0xcfc);
/// In the address: access configuration space.
const ENABLE: u32 = 1 << 31;
/// Header type 1, a bridge to another bus; and the bit for several functions.
const BRIDGE: u32 = 1;
const MULTIFUNCTION: u32 = 0x80;

/// A function's number in its address: the next one's is so much more, and the last one of a device has these bits.
const FUNCTION: u32 = 1 << 8;
const LAST_FUNCTION: u32 = 7 << 8;

/// A function of a device on a bus: bus in bits 16 to 23, device in 11 to 15, function in 8 to 10.
#[derive(Clone, Copy, Debug)]
pub struct Function(u32);

impl Function {
    fn exists(self) -> bool {
        self.read32(0) as u16 != 0xffff
    }

    fn header_type(self) -> u32 {
        self.read32(0x0c) >> 16 & 0xff
    }

    /// The highest bus behind a bridge; 0 behind anything else.
    fn last_bus_behind(self, header_type: u32) -> u32 {
        if header_type & !MULTIFUNCTION == BRIDGE { self.read32(0x18) >> 16 & 0xff } else { 0 }
    }
}

impl Configuration for Function {
    #[inline(never)]
    fn read32(&self, offset: u8) -> u32 {
        ADDRESS.write32(ENABLE | self.0 | u32::from(offset & !3));
        DATA.read32()
    }

    fn write32(&self, offset: u8, value: u32) {
        ADDRESS.write32(ENABLE | self.0 | u32::from(offset & !3));
        DATA.write32(value);
    }
}

/// The first function for which `wanted` has an answer, on the first bus and those that bridges lead to.
pub fn find<R>(mut wanted: impl FnMut(Function) -> Option<R>) -> Option<R> {
    let (mut at, mut last_bus) = (0, if has_bus() { 0 } else { return None });
    while at >> 16 <= last_bus {
        let function = Function(at);
        let mut several = at & LAST_FUNCTION != 0;
        if function.exists() {
            if let Some(found) = wanted(function) {
                return Some(found);
            }
            let header_type = function.header_type();
            several |= header_type & MULTIFUNCTION != 0;
            last_bus = last_bus.max(function.last_bus_behind(header_type));
        }
        // Without a first function, or with only one, there are no others of the device.
        at = if several { at + FUNCTION } else { (at | LAST_FUNCTION) + FUNCTION };
    }
    None
}

/// Whether the address register is there: it reads back, ports without a device do not.
fn has_bus() -> bool {
    ADDRESS.write32(ENABLE);
    ADDRESS.read32() == ENABLE
}
