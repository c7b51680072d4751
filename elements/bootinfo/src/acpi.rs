//! ACPI's root pointer and the list of tables behind it (ACPI 6.5, sections 5.2.5 to 5.2.9).

use crate::memory::{Memory, word32, word64};

/// Bytes of the header every table starts with.
pub const HEADER: usize = 36;
/// Bytes of the root pointer as ACPI 1.0 has it, and from 2.0 on.
const RSDP_1: usize = 20;
const RSDP_2: usize = 36;
/// Longest table read. DSDTs of real machines reach a few hundred kilobytes.
const MAX_TABLE: u32 = 4 << 20;
/// Most tables looked at.
const MAX_TABLES: usize = 256;

/// The root table: the list of all others.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'m, M: Memory + ?Sized> {
    memory: &'m M,
    root: &'m [u8],
    /// Bytes of an entry: 4 in an RSDT, 8 in an XSDT.
    entry: usize,
}

impl<'m, M: Memory + ?Sized> Tables<'m, M> {
    /// Follows the root pointer at physical `address`; `None` if it is not one.
    pub fn read(memory: &'m M, address: u64) -> Option<Self> {
        let first = memory.bytes(address, RSDP_1)?;
        if !first.starts_with(b"RSD PTR ") || !sums_to_zero(first) {
            return None;
        }
        let extended = memory.bytes(address, RSDP_2).filter(|all| all.get(15) >= Some(&2) && sums_to_zero(all));
        let wide = extended.and_then(|all| word64(all, 24)).filter(|&xsdt| xsdt != 0);
        let (root, entry) = match wide.and_then(|xsdt| table(memory, xsdt)) {
            Some(xsdt) => (xsdt, 8),
            None => (table(memory, u64::from(word32(first, 16)?))?, 4),
        };
        Some(Self { memory, root, entry })
    }

    /// The first table with this signature: all its bytes, [`HEADER`] included.
    #[must_use]
    pub fn find(&self, signature: [u8; 4]) -> Option<&'m [u8]> {
        self.root
            .get(HEADER..)?
            .chunks_exact(self.entry)
            .take(MAX_TABLES)
            .filter_map(|entry| word64(entry, 0).or_else(|| word32(entry, 0).map(u64::from)))
            .filter(|&address| self.memory.bytes(address, 4).is_some_and(|found| found == signature))
            .find_map(|address| table(self.memory, address))
    }

    /// The bytes of the differentiated system description table, which the fixed table (FADT) points to. Its sum is
    /// not checked: it is long, and a scan ([`crate::dsdt`]) believes nothing it says anyway.
    #[must_use]
    pub fn dsdt(&self) -> Option<&'m [u8]> {
        let fixed = self.find(*b"FACP")?;
        let wide = word64(fixed, 140).filter(|&address| address != 0);
        let address = wide.or_else(|| word32(fixed, 40).map(u64::from))?;
        table(self.memory, address).filter(|bytes| bytes.starts_with(b"DSDT"))
    }
}

/// All bytes of the table at `address`, as long as its header says.
fn table<M: Memory + ?Sized>(memory: &M, address: u64) -> Option<&[u8]> {
    let length = word32(memory.bytes(address, HEADER)?, 4)?;
    if length > MAX_TABLE || (length as usize) < HEADER {
        return None;
    }
    memory.bytes(address, length as usize)
}

/// Whether the bytes' sum modulo 256 is zero, ACPI's checksum.
pub(crate) fn sums_to_zero(bytes: &[u8]) -> bool {
    bytes.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte)) == 0
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{vec, vec::Vec};

    use super::*;
    use crate::{dsdt, dsdt::tests::microvm_dsdt, madt::tests::microvm_madt};

    /// A table with its length and sum set right.
    pub(crate) fn sealed(signature: &[u8; 4], body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[..4].copy_from_slice(signature);
        bytes.extend_from_slice(body);
        let length = bytes.len() as u32;
        bytes[4..8].copy_from_slice(&length.to_le_bytes());
        bytes[9] = bytes.iter().fold(0_u8, |sum, &byte| sum.wrapping_sub(byte));
        bytes
    }

    /// Root pointer at 16; root table, FADT, MADT and DSDT behind it.
    fn machine(wide: bool) -> Vec<u8> {
        let (root_at, fadt_at, madt_at, dsdt_at) = (64_u64, 128_u64, 512_u64, 1024_u64);
        let mut memory = vec![0; 2048];
        let mut put = |at: u64, bytes: &[u8]| memory[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
        let mut fadt = vec![0; 268 - HEADER];
        fadt[4..8].copy_from_slice(&(dsdt_at as u32).to_le_bytes());
        put(fadt_at, &sealed(b"FACP", &fadt));
        put(madt_at, &microvm_madt());
        put(dsdt_at, &microvm_dsdt());
        let entries = [fadt_at, 9_999_999, madt_at];
        let wide_root: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
        let narrow_root: Vec<u8> = entries.iter().flat_map(|&entry| (entry as u32).to_le_bytes()).collect();
        put(root_at, &if wide { sealed(b"XSDT", &wide_root) } else { sealed(b"RSDT", &narrow_root) });
        put(16, &root_pointer(root_at, wide));
        memory
    }

    fn root_pointer(root: u64, wide: bool) -> Vec<u8> {
        let mut bytes = vec![0; RSDP_2];
        bytes[..8].copy_from_slice(b"RSD PTR ");
        if wide {
            bytes[15] = 2;
            bytes[24..32].copy_from_slice(&root.to_le_bytes());
        } else {
            bytes[16..20].copy_from_slice(&(root as u32).to_le_bytes());
        }
        bytes[8] = bytes[..RSDP_1].iter().fold(0, |sum: u8, &byte| sum.wrapping_sub(byte));
        bytes[32] = bytes.iter().fold(0, |sum: u8, &byte| sum.wrapping_sub(byte));
        bytes
    }

    #[test]
    fn tables_are_found_through_both_kinds_of_root() {
        for wide in [false, true] {
            let memory = machine(wide);
            let tables = Tables::read(&memory[..], 16).unwrap();
            assert_eq!(tables.madt().unwrap().processors().count(), 2);
            assert_eq!(dsdt::virtio_mmio(tables.dsdt().unwrap()).count(), 2);
            assert!(tables.find(*b"HPET").is_none());
        }
        assert!(Tables::read(&machine(true)[..], 17).is_none());
    }

    /// Miri takes a sample.
    const STEP: usize = if cfg!(miri) { 97 } else { 1 };

    #[test]
    fn every_truncation_and_every_damaged_byte_is_survived() {
        let whole = machine(true);
        for end in (0..whole.len()).step_by(STEP) {
            walk(&whole[..end]);
        }
        for (at, value) in (0..1500).step_by(STEP).flat_map(|at| [(at, 0), (at, 0x7f), (at, 0xff)]) {
            let mut memory = whole.clone();
            memory[at] = value;
            walk(&memory);
        }
    }

    fn walk(memory: &[u8]) {
        if let Some(tables) = Tables::read(memory, 16) {
            if let Some(madt) = tables.madt() {
                madt.entries().count();
                let _ = madt.local_apic();
            }
            tables.dsdt().map(|bytes| dsdt::virtio_mmio(bytes).count());
        }
    }
}
