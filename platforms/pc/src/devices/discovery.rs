//! Finding devices: asked in the order of what asking costs.

use core::sync::atomic::{AtomicU64, Ordering};

use bootinfo::{CommandLine, Memory, VirtioMmio, acpi::Tables, dsdt};
use sync::Mutex;

use super::{
    pci::{self, Function},
    transport::AnyTransport,
};
use crate::memory::Physical;

/// What the boot found that leads to devices, for those that are looked for later.
static COMMAND_LINE: Mutex<&str> = Mutex::new("");
static ROOT_POINTER: AtomicU64 = AtomicU64::new(0);

/// Remembers where to look for devices.
pub(crate) fn remember(command_line: &'static str, root_pointer: u64) {
    *COMMAND_LINE.lock() = command_line;
    ROOT_POINTER.store(root_pointer, Ordering::Relaxed);
}

/// Where a device may be.
pub(super) enum Candidate<'a> {
    Mmio(&'a VirtioMmio),
    Pci(Function),
}

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

impl Sources<'static, Physical> {
    /// Where [`remember`] was told to look.
    pub(super) fn remembered() -> Self {
        let command_line = CommandLine::new(*COMMAND_LINE.lock());
        Self { command_line, rsdp: ROOT_POINTER.load(Ordering::Relaxed), memory: &Physical }
    }
}

impl<M: Memory + ?Sized> Sources<'_, M> {
    /// The first device of kind `wanted` (virtio 1.2, section 5).
    pub(super) fn find(&self, wanted: u32) -> Option<AnyTransport> {
        self.look(&mut |place| match place {
            Candidate::Mmio(place) => AnyTransport::mmio(place, wanted),
            Candidate::Pci(function) => AnyTransport::pci(function, wanted),
        })
    }

    /// The first place where `wanted` finds what it looks for.
    pub(super) fn look(&self, wanted: &mut dyn FnMut(Candidate<'_>) -> Option<AnyTransport>) -> Option<AnyTransport> {
        let listed = self.command_line.virtio_mmio().find_map(|place| wanted(Candidate::Mmio(&place)));
        listed.or_else(|| pci::find(|function| wanted(Candidate::Pci(function)))).or_else(|| self.look_in_acpi(wanted))
    }

    fn look_in_acpi(&self, wanted: &mut dyn FnMut(Candidate<'_>) -> Option<AnyTransport>) -> Option<AnyTransport> {
        let table = (self.rsdp != 0).then(|| Tables::read(self.memory, self.rsdp))??.dsdt()?;
        dsdt::virtio_mmio(table).find_map(|place| wanted(Candidate::Mmio(&place)))
    }
}
