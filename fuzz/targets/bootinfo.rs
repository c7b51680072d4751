//! Any bytes as what firmware leaves in memory: start info, ACPI tables, command line. Reading them ends.
#![no_main]

use bootinfo::{CommandLine, StartInfo, acpi::Tables, dsdt, madt::Madt};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|memory: &[u8]| {
    if let Ok(info) = StartInfo::read(memory, 0) {
        let _ = (info.modules(memory).count(), info.memory_map(memory).count());
        if let Some(tables) = Tables::read(memory, info.rsdp) {
            let _ = tables.madt().map(|madt| madt.processors().count());
            let _ = tables.dsdt().map(|dsdt| dsdt::virtio_mmio(dsdt).count());
        }
    }
    let madt = Madt::new(memory);
    let _ = (madt.local_apic(), madt.processors().count(), madt.entries().count());
    let _ = dsdt::virtio_mmio(memory).count();
    if let Some(line) = CommandLine::read(memory, 0) {
        let _ = (line.words().count(), line.value("console"), line.virtio_mmio().count());
    }
});
