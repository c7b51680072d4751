//! Finding devices: asked in the order of what asking costs.

use bootinfo::{CommandLine, Memory, acpi::Tables, dsdt};

use super::{pci, transport::AnyTransport};

/// Where devices may be listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources<'a, M: Memory + ?Sized> {
    /// What QEMU's microvm without ACPI, and Firecracker, list their devices on.
    pub(super) command_line: CommandLine<'a>,
    /// ACPI's root pointer, 0 if there is none: microvm with ACPI.
    pub(super) rsdp: u64,
    /// Where it points into.
    pub(super) memory: &'a M,
}

impl<M: Memory + ?Sized> Sources<'_, M> {
    /// The first device of kind `wanted` (virtio 1.2, section 5).
    pub(super) fn find(&self, wanted: u32) -> Option<AnyTransport> {
        let listed = self.command_line.virtio_mmio().find_map(|place| AnyTransport::mmio(&place, wanted));
        listed
            .or_else(|| pci::find(|function| AnyTransport::pci(function, wanted)))
            .or_else(|| self.find_in_acpi(wanted))
    }

    fn find_in_acpi(&self, wanted: u32) -> Option<AnyTransport> {
        let table = (self.rsdp != 0).then(|| Tables::read(self.memory, self.rsdp))??.dsdt()?;
        dsdt::virtio_mmio(table).find_map(|place| AnyTransport::mmio(&place, wanted))
    }
}
