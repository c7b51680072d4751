//! Finding devices: asked in the order of what asking costs.

use core::sync::atomic::{AtomicU64, Ordering};

use bootinfo::{CommandLine, Memory, acpi::Tables, dsdt};
use sync::Mutex;

use crate::{
    board,
    transport::{AnyTransport, Candidate},
};

/// What the boot found that leads to devices, for those that are looked for later.
static COMMAND_LINE: Mutex<&str> = Mutex::new("");
static ROOT_POINTER: AtomicU64 = AtomicU64::new(0);

/// Remembers where to look for devices.
pub fn remember(command_line: &'static str, root_pointer: u64) {
    *COMMAND_LINE.lock() = command_line;
    ROOT_POINTER.store(root_pointer, Ordering::Relaxed);
}

/// Where devices may be listed.
pub struct Sources {
    /// What QEMU's microvm without ACPI, and Firecracker, list their devices on.
    command_line: CommandLine<'static>,
    /// ACPI's root pointer, 0 if there is none: microvm with ACPI.
    rsdp: u64,
    /// Where it points into.
    memory: &'static dyn Memory,
}

impl Sources {
    /// Where [`remember`] was told to look.
    pub fn remembered() -> Self {
        let command_line = CommandLine::new(*COMMAND_LINE.lock());
        Self { command_line, rsdp: ROOT_POINTER.load(Ordering::Relaxed), memory: board::firmware() }
    }

    /// The first device of kind `wanted` (virtio 1.2, section 5).
    pub fn find(&self, wanted: u32) -> Option<AnyTransport> {
        self.look(&mut |place| match place {
            Candidate::Mmio(place) => AnyTransport::mmio(place, wanted),
            Candidate::Pci(function) => AnyTransport::pci(function, wanted),
        })
    }

    /// The first place where `wanted` finds what it looks for.
    pub fn look(&self, wanted: &mut dyn FnMut(Candidate<'_>) -> Option<AnyTransport>) -> Option<AnyTransport> {
        let listed = self.command_line.virtio_mmio().find_map(|place| wanted(Candidate::Mmio(&place)));
        let mut found = None;
        listed
            .or_else(|| {
                board::find_function(&mut |function| {
                    found = wanted(Candidate::Pci(function));
                    found.is_some()
                });
                found.take()
            })
            .or_else(|| self.look_in_acpi(wanted))
    }

    fn look_in_acpi(&self, wanted: &mut dyn FnMut(Candidate<'_>) -> Option<AnyTransport>) -> Option<AnyTransport> {
        let table = (self.rsdp != 0).then(|| Tables::read(self.memory, self.rsdp))??.dsdt()?;
        dsdt::virtio_mmio(table).find_map(|place| wanted(Candidate::Mmio(&place)))
    }
}
