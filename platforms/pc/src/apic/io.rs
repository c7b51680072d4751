//! The I/O APIC, which turns interrupt lines into messages (Intel 82093AA data sheet).

use core::ptr::NonNull;

use bootinfo::Trigger;

use super::Map;
use crate::devices::port::Port;

/// Where every PC chipset has its first one, lines 0 to 23. (A MADT could say otherwise; none of the machines we run
/// on does, and microvm without ACPI has none.)
const ADDRESS: u64 = 0xfec0_0000;
const SELECT: usize = 0x00;
const WINDOW: usize = 0x10;
/// Register: version, and the highest line in bits 16 to 23.
const VERSION: u32 = 1;
/// Registers of line 0: low and high word.
const LINES: u32 = 0x10;

const ACTIVE_LOW: u32 = 1 << 13;
const LEVEL: u32 = 1 << 15;

/// Routes a line; `false` if there is none of this number.
pub fn route(map: Map, line: u32, trigger: Trigger, vector: usize, processor: u32) -> bool {
    let Some(registers) = map(ADDRESS, machine::PAGE_SIZE) else { return false };
    if line > read(registers, VERSION) >> 16 & 0xff {
        return false;
    }
    let mode = match trigger {
        Trigger::EdgeHigh => 0,
        Trigger::EdgeLow => ACTIVE_LOW,
        Trigger::LevelHigh => LEVEL,
        Trigger::LevelLow => LEVEL | ACTIVE_LOW,
    };
    write(registers, LINES + 2 * line + 1, processor << 24);
    write(registers, LINES + 2 * line, mode | vector as u32);
    true
}

fn read(registers: NonNull<u8>, register: u32) -> u32 {
    // SAFETY: the page is mapped and both registers are in it.
    unsafe {
        registers.add(SELECT).cast::<u32>().write_volatile(register);
        registers.add(WINDOW).cast::<u32>().read_volatile()
    }
}

fn write(registers: NonNull<u8>, register: u32, value: u32) {
    // SAFETY: as above; the vectors that lines raise have gates.
    unsafe {
        registers.add(SELECT).cast::<u32>().write_volatile(register);
        registers.add(WINDOW).cast::<u32>().write_volatile(value);
    }
}

/// Masks the two interrupt controllers of the AT, which deliver vectors of their own choice. Harmless where there are
/// none.
pub fn silence_legacy_controllers() {
    for mask_register in [0x21, 0xa1] {
        Port(mask_register).write8(0xff);
    }
}
