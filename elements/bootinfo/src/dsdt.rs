//! Virtio-mmio devices in a DSDT, found without an AML interpreter.
//!
//! QEMU's microvm lists them nowhere else. A device is the hardware id `LNRO0005` and behind it a resource template
//! with a fixed memory range and an extended interrupt (ACPI 6.5, sections 6.4.3.4 and 6.4.3.6), all of them constant
//! bytes: a scan finds them. The worst a hostile table gets out of it is a wrong address, and an address is checked
//! by the device's own magic number later.

use crate::{
    Trigger, VirtioMmio,
    memory::{word16, word32},
};

const HARDWARE_ID: &[u8; 8] = b"LNRO0005";
/// A device's resources lie within so many bytes behind its id (QEMU: 45).
const REACH: usize = 256;
/// Tag and length of the descriptor `Memory32Fixed`.
const FIXED_MEMORY: [u8; 3] = [0x86, 9, 0];
/// Tag of the descriptor `Interrupt`; its length depends on the number of lines.
const INTERRUPT: u8 = 0x89;

/// The virtio-mmio devices in the bytes of a DSDT, in its order.
pub fn virtio_mmio(dsdt: &[u8]) -> impl Iterator<Item = VirtioMmio> {
    let mut rest = dsdt;
    core::iter::from_fn(move || {
        let behind = rest.get(position(rest, HARDWARE_ID)? + HARDWARE_ID.len()..)?;
        rest = behind;
        Some(device(behind))
    })
    .flatten()
}

fn device(behind: &[u8]) -> Option<VirtioMmio> {
    let own = behind.get(..position(behind, HARDWARE_ID).unwrap_or(behind.len()).min(REACH))?;
    let range = own.get(position(own, &FIXED_MEMORY)?..)?;
    let (base, length) = (u64::from(word32(range, 4)?), u64::from(word32(range, 8)?));
    let interrupt = range.get(12..)?;
    let interrupt = interrupt.get(interrupt.iter().position(|&byte| byte == INTERRUPT)?..)?;
    // At least flags, count and one line.
    if word16(interrupt, 1)? < 6 || *interrupt.get(4)? == 0 {
        return None;
    }
    Some(VirtioMmio { base, length, line: word32(interrupt, 5)?, trigger: trigger(*interrupt.get(3)?) })
}

/// Bit 1: edge rather than level; bit 2: active low.
fn trigger(flags: u8) -> Trigger {
    match (flags & 2 != 0, flags & 4 != 0) {
        (true, false) => Trigger::EdgeHigh,
        (true, true) => Trigger::EdgeLow,
        (false, false) => Trigger::LevelHigh,
        (false, true) => Trigger::LevelLow,
    }
}

/// Where `wanted` first stands. Looks for its first byte alone: a boot pays for every byte of the table.
fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    loop {
        from += bytes.get(from..)?.iter().position(|&byte| byte == first)?;
        if bytes.get(from..)?.starts_with(wanted) {
            return Some(from);
        }
        from += 1;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::acpi::tests::sealed;

    /// `Name(_HID, "LNRO0005")` to the end tag, as QEMU 7.2 writes it.
    fn device_bytes(base: u32, line: u32) -> Vec<u8> {
        let mut bytes = b"\x08_HID\x0dLNRO0005\0\x08_UID\x0a\x17\x08_CCA\x01\x08_CRS\x11\x1a\x0a\x17".to_vec();
        bytes.extend_from_slice(&[0x86, 9, 0, 1]);
        bytes.extend_from_slice(&base.to_le_bytes());
        bytes.extend_from_slice(&512_u32.to_le_bytes());
        bytes.extend_from_slice(&[0x89, 6, 0, 1, 1]);
        bytes.extend_from_slice(&line.to_le_bytes());
        bytes.extend_from_slice(&[0x79, 0]);
        bytes
    }

    pub(crate) fn microvm_dsdt() -> Vec<u8> {
        let devices = [device_bytes(0xfeb0_2c00, 46), device_bytes(0xfeb0_2e00, 47)].concat();
        sealed(b"DSDT", &devices)
    }

    #[test]
    fn devices_are_found() {
        let table = microvm_dsdt();
        let devices: Vec<_> = virtio_mmio(&table).collect();
        let expected = VirtioMmio { base: 0xfeb0_2c00, length: 512, line: 46, trigger: Trigger::LevelHigh };
        assert_eq!(devices, [expected, VirtioMmio { base: 0xfeb0_2e00, line: 47, ..expected }]);
    }

    #[test]
    fn a_device_without_resources_borrows_none_from_the_next() {
        let table = [b"LNRO0005".to_vec(), device_bytes(1, 2)].concat();
        assert_eq!(virtio_mmio(&table).map(|device| device.base).collect::<Vec<_>>(), [1]);
        assert_eq!(virtio_mmio(b"LNRO0005LNRO0005").count(), 0);
    }
}
