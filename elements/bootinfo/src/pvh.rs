//! PVH start info: what the loader hands over in `ebx`.
//!
//! Layout: Xen's `xen/include/public/arch-x86/hvm/start_info.h`, which QEMU, Firecracker and Cloud Hypervisor follow.

use crate::memory::{Memory, word32, word64};

/// First word of the structure.
const MAGIC: u32 = 0x336e_c578;
/// Bytes of version 0, which knows no memory map.
const VERSION_0: usize = 40;
/// Bytes of version 1.
const VERSION_1: usize = 56;
/// Bytes of an entry in the list of modules.
const MODULE: usize = 32;
/// Bytes of an entry in the memory map.
const RANGE: usize = 24;
/// Most entries read of either list: a hostile count ends here. QEMU's q35 passes about ten.
const MAX_ENTRIES: u32 = 1024;

/// The start info, read once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartInfo {
    /// Physical address of the command line's bytes (read it with [`crate::CommandLine::read`]); 0 if there is none.
    pub command_line: u64,
    /// Physical address of ACPI's root pointer; 0 if there is none.
    pub rsdp: u64,
    modules: u64,
    module_count: u32,
    ranges: u64,
    range_count: u32,
}

/// Why there is no start info.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartInfoError {
    /// The address cannot be read.
    Unreadable,
    /// The first word is another one: not started by the PVH protocol.
    Magic(u32),
    /// Version 0 of the structure, which has no memory map.
    NoMemoryMap,
}

/// A file the loader brought along (QEMU's `-initrd`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module {
    /// Physical address of its first byte.
    pub address: u64,
    /// Bytes.
    pub length: u64,
}

/// What a range of physical addresses is (the numbers are those of the E820 map).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Usable memory.
    Ram,
    /// Not to be touched.
    Reserved,
    /// ACPI tables; usable once they have been read.
    AcpiTables,
    /// Memory that firmware keeps.
    AcpiNvs,
    /// Anything else, with its number.
    Other(u32),
}

/// A range of the memory map: not empty, and its end does not overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryRange {
    /// First physical address.
    pub start: u64,
    /// Bytes, at least 1.
    pub length: u64,
    /// What is there.
    pub kind: MemoryKind,
}

impl MemoryRange {
    /// The address behind the last byte.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.start + self.length
    }
}

impl StartInfo {
    /// Reads the structure at physical `address`.
    pub fn read<M: Memory + ?Sized>(memory: &M, address: u64) -> Result<Self, StartInfoError> {
        let head = memory.bytes(address, VERSION_0).ok_or(StartInfoError::Unreadable)?;
        Self::from_bytes(memory.bytes(address, VERSION_1).unwrap_or(head))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, StartInfoError> {
        let short = |at| word32(bytes, at).ok_or(StartInfoError::Unreadable);
        let long = |at| word64(bytes, at).ok_or(StartInfoError::Unreadable);
        match short(0)? {
            MAGIC => {}
            other => return Err(StartInfoError::Magic(other)),
        }
        if short(4)? == 0 {
            return Err(StartInfoError::NoMemoryMap);
        }
        Ok(Self {
            module_count: short(12)?,
            modules: long(16)?,
            command_line: long(24)?,
            rsdp: long(32)?,
            ranges: long(40)?,
            range_count: short(48)?,
        })
    }

    /// The files the loader brought, in its order.
    pub fn modules<'m, M: Memory + ?Sized>(&self, memory: &'m M) -> impl Iterator<Item = Module> + use<'m, M> {
        entries::<MODULE, M>(memory, self.modules, self.module_count)
            .filter_map(|entry| Some(Module { address: word64(entry, 0)?, length: word64(entry, 8)? }))
            .filter(|module| module.address.checked_add(module.length).is_some())
    }

    /// The memory map in the loader's order: not necessarily sorted, and ranges may overlap. Empty and overflowing
    /// entries are left out.
    pub fn memory_map<'m, M: Memory + ?Sized>(&self, memory: &'m M) -> impl Iterator<Item = MemoryRange> + use<'m, M> {
        entries::<RANGE, M>(memory, self.ranges, self.range_count).filter_map(memory_range)
    }
}

/// The readable entries of `SIZE` bytes of a list.
fn entries<const SIZE: usize, M: Memory + ?Sized>(
    memory: &M,
    list: u64,
    count: u32,
) -> impl Iterator<Item = &[u8]> + use<'_, SIZE, M> {
    (0..u64::from(count.min(MAX_ENTRIES)))
        .map_while(move |index| memory.bytes(list.checked_add(index * SIZE as u64)?, SIZE))
}

fn memory_range(entry: &[u8]) -> Option<MemoryRange> {
    let (start, length) = (word64(entry, 0)?, word64(entry, 8)?);
    if length == 0 {
        return None;
    }
    start.checked_add(length)?;
    let kind = match word32(entry, 16)? {
        1 => MemoryKind::Ram,
        2 => MemoryKind::Reserved,
        3 => MemoryKind::AcpiTables,
        4 => MemoryKind::AcpiNvs,
        other => MemoryKind::Other(other),
    };
    Some(MemoryRange { start, length, kind })
}

#[cfg(test)]
mod tests {
    use std::{vec, vec::Vec};

    use super::*;

    /// Start info at 5 (misaligned), one module listed at 101, a map of three entries at 203.
    fn machine() -> Vec<u8> {
        let mut memory = vec![0; 400];
        let mut put = |at: usize, bytes: &[u8]| memory[at..at + bytes.len()].copy_from_slice(bytes);
        put(5, &MAGIC.to_le_bytes());
        put(9, &1_u32.to_le_bytes());
        put(5 + 12, &1_u32.to_le_bytes());
        for (at, value) in [(16, 101_u64), (24, 300), (32, 0xf_0000), (40, 203), (48, 3)] {
            put(5 + at, &value.to_le_bytes());
        }
        for (at, value) in [(101, 0x40_0000_u64), (109, 0x1234)] {
            put(at, &value.to_le_bytes());
        }
        for (index, (start, length, kind)) in
            [(0, 0x9_fc00, 1_u64), (7, 0, 1), (0xfeff_c000, 0x4000, 2_u64)].into_iter().enumerate()
        {
            for (at, value) in [(0, start), (8, length), (16, kind)] {
                put(203 + 24 * index + at, &u64::to_le_bytes(value));
            }
        }
        memory
    }

    #[test]
    fn start_info_lists_modules_and_memory() {
        let memory = machine();
        let info = StartInfo::read(&memory[..], 5).unwrap();
        assert_eq!((info.command_line, info.rsdp), (300, 0xf_0000));
        assert!(info.modules(&memory[..]).eq([Module { address: 0x40_0000, length: 0x1234 }]));
        let map: Vec<_> = info.memory_map(&memory[..]).collect();
        assert_eq!(map[0], MemoryRange { start: 0, length: 0x9_fc00, kind: MemoryKind::Ram });
        assert_eq!((map.len(), map[1].end(), map[1].kind), (2, 0xff00_0000, MemoryKind::Reserved));
    }

    /// Miri takes a sample.
    const STEP: usize = if cfg!(miri) { 29 } else { 1 };

    #[test]
    fn every_truncation_and_every_damaged_byte_is_survived() {
        let whole = machine();
        for end in (0..whole.len()).step_by(STEP) {
            walk(&whole[..end]);
        }
        for at in (0..whole.len()).step_by(STEP) {
            let mut memory = whole.clone();
            memory[at] = 0xff;
            walk(&memory);
        }
        assert_eq!(StartInfo::read(&whole[..], 400), Err(StartInfoError::Unreadable));
        assert_eq!(StartInfo::read(&whole[..], u64::MAX), Err(StartInfoError::Unreadable));
        assert_eq!(StartInfo::read(&whole[..], 300), Err(StartInfoError::Magic(0)));
    }

    fn walk(memory: &[u8]) {
        if let Ok(info) = StartInfo::read(memory, 5) {
            assert!(info.modules(memory).count() <= MAX_ENTRIES as usize);
            assert!(info.memory_map(memory).all(|range| range.end() > range.start));
        }
    }
}
