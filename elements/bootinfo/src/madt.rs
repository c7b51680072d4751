//! The multiple APIC description table: processors and interrupt controllers (ACPI 6.5, section 5.2.12).

use crate::{
    Trigger,
    acpi::{HEADER, Tables, sums_to_zero},
    memory::{Memory, word16, word32, word64},
};

/// Where the entries start: behind the local APIC's address and the flags.
const ENTRIES: usize = HEADER + 8;

/// The table in place.
#[derive(Clone, Copy, Debug)]
pub struct Madt<'a> {
    bytes: &'a [u8],
}

/// An entry that whittle uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A processor that can be used, by its local APIC's id.
    Processor {
        /// The id interrupts are addressed to.
        apic: u32,
    },
    /// An IO APIC.
    IoApic {
        /// Physical address of its registers.
        address: u32,
        /// The global interrupt line of its first pin.
        first_line: u32,
    },
    /// An ISA interrupt that is wired otherwise than one to one.
    Override {
        /// The ISA interrupt.
        isa: u8,
        /// The global line it really is.
        line: u32,
        /// How the line is driven.
        trigger: Trigger,
    },
    /// The local APICs' physical address, where 32 bits are not enough.
    LocalApic {
        /// Replaces the one in the table's head.
        address: u64,
    },
}

impl<'m, M: Memory + ?Sized> Tables<'m, M> {
    /// The multiple APIC description table: processors and interrupt controllers.
    #[must_use]
    pub fn madt(&self) -> Option<Madt<'m>> {
        self.find(*b"APIC").filter(|bytes| sums_to_zero(bytes)).map(Madt::new)
    }
}

impl<'a> Madt<'a> {
    /// A view of the table's bytes, header included.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Physical address of each processor's local APIC.
    #[must_use]
    pub fn local_apic(&self) -> Option<u64> {
        let wide = self.entries().find_map(|entry| match entry {
            Entry::LocalApic { address } => Some(address),
            _ => None,
        });
        wide.or_else(|| word32(self.bytes, HEADER).map(u64::from))
    }

    /// Local APIC ids of the usable processors; the boot processor is among them.
    pub fn processors(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.entries().filter_map(|entry| match entry {
            Entry::Processor { apic } => Some(apic),
            _ => None,
        })
    }

    /// The entries whittle knows, in order.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + use<'a> {
        let mut rest = self.bytes.get(ENTRIES..).unwrap_or(&[]);
        core::iter::from_fn(move || {
            let length = usize::from(*rest.get(1)?);
            if length < 2 {
                return None; // damaged: it would never end
            }
            let (entry, behind) = rest.split_at_checked(length)?;
            rest = behind;
            Some(decode(entry))
        })
        .flatten()
    }
}

fn decode(entry: &[u8]) -> Option<Entry> {
    match entry.first()? {
        0 => usable(word32(entry, 4)?, u32::from(*entry.get(3)?)),
        1 => Some(Entry::IoApic { address: word32(entry, 4)?, first_line: word32(entry, 8)? }),
        2 => Some(Entry::Override {
            isa: *entry.get(3)?,
            line: word32(entry, 4)?,
            trigger: isa_trigger(word16(entry, 8)?),
        }),
        5 => Some(Entry::LocalApic { address: word64(entry, 4)? }),
        9 => usable(word32(entry, 8)?, word32(entry, 4)?),
        _ => None,
    }
}

/// Bit 0 of the flags: the processor is enabled. Those that could be plugged in later do not count.
fn usable(flags: u32, apic: u32) -> Option<Entry> {
    (flags & 1 != 0).then_some(Entry::Processor { apic })
}

/// MPS INTI flags: polarity in bits 0 and 1, trigger mode in bits 2 and 3; where the bus decides, ISA's: rising edge.
fn isa_trigger(flags: u16) -> Trigger {
    match (flags >> 2 & 3 == 3, flags & 3 == 3) {
        (false, false) => Trigger::EdgeHigh,
        (false, true) => Trigger::EdgeLow,
        (true, false) => Trigger::LevelHigh,
        (true, true) => Trigger::LevelLow,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::acpi::tests::sealed;

    /// Two processors, a third that is off, an IO APIC, an override: the shape of QEMU's table.
    pub(crate) fn microvm_madt() -> Vec<u8> {
        let mut body = Vec::new();
        body.extend_from_slice(&[0, 0, 0xe0, 0xfe, 1, 0, 0, 0]);
        body.extend_from_slice(&[0, 8, 0, 0, 1, 0, 0, 0]);
        body.extend_from_slice(&[9, 16, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
        body.extend_from_slice(&[0, 8, 2, 2, 0, 0, 0, 0]);
        body.extend_from_slice(&[1, 12, 0, 0, 0, 0, 0xc0, 0xfe, 0, 0, 0, 0]);
        body.extend_from_slice(&[2, 10, 0, 5, 5, 0, 0, 0, 0xd, 0]);
        sealed(b"APIC", &body)
    }

    #[test]
    fn processors_and_controllers_are_listed() {
        let bytes = microvm_madt();
        let madt = Madt::new(&bytes);
        assert_eq!(madt.local_apic(), Some(0xfee0_0000));
        assert!(madt.processors().eq([0, 1]));
        let rest: Vec<_> = madt.entries().skip(2).collect();
        assert_eq!(rest[0], Entry::IoApic { address: 0xfec0_0000, first_line: 0 });
        assert_eq!(rest[1], Entry::Override { isa: 5, line: 5, trigger: Trigger::LevelHigh });
    }

    #[test]
    fn entries_without_length_end_the_list() {
        let bytes = sealed(b"APIC", &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(Madt::new(&bytes).entries().count(), 0);
        assert_eq!(Madt::new(&[]).entries().count(), 0);
    }
}
