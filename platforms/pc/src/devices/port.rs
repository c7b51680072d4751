//! The processor's input and output ports.

use core::arch::asm;

/// A port number.
#[derive(Clone, Copy, Debug)]
pub struct Port(pub u16);

impl Port {
    /// Reads 8 bits.
    pub fn read8(self) -> u8 {
        let value;
        // SAFETY: touches no memory; what a port read does to its device is that device's driver's business.
        unsafe { asm!("in al, dx", in("dx") self.0, out("al") value, options(nomem, nostack, preserves_flags)) };
        value
    }

    /// Writes 8 bits.
    pub fn write8(self, value: u8) {
        // SAFETY: no driver here programs a device to write memory that is not shared with it.
        unsafe { asm!("out dx, al", in("dx") self.0, in("al") value, options(nostack, preserves_flags)) };
    }

    /// Reads 32 bits.
    pub fn read32(self) -> u32 {
        let value;
        // SAFETY: as `read8`.
        unsafe { asm!("in eax, dx", in("dx") self.0, out("eax") value, options(nomem, nostack, preserves_flags)) };
        value
    }

    /// Writes 32 bits.
    pub fn write32(self, value: u32) {
        // SAFETY: as `write8`.
        unsafe { asm!("out dx, eax", in("dx") self.0, in("eax") value, options(nostack, preserves_flags)) };
    }
}
