//! From the loader's jump to the kernel's main: the stages that the image names, in its order.

mod address_space;
mod found;
mod ram;
mod stages;

use launch::Launch;
use machine::{Begin, BootInfo};

use crate::{bare, layout};

pub use stages::{Devices, Disks, Entropy, Interrupts, Memory, Nics, Shares, SystemCalls, Time, Traps};

/// The first Rust code, called by `boot/entry.s` on the boot stack: `start_info` is the physical address of the PVH
/// start info, `cycles` the time stamp of the first instruction.
#[unsafe(export_name = "whittle_start")]
extern "C" fn start(start_info: usize, cycles: u64) -> ! {
    contracts::boot::start(start_info, cycles)
}

/// What the stages leave for each other, and for the kernel.
#[derive(Debug)]
pub struct Start {
    /// Physical address of the PVH start info.
    start_info: usize,
    /// Physical address of ACPI's root pointer, 0 if there is none or nobody looked.
    rsdp: u64,
    boot_info: BootInfo,
}

/// Provider of the contract `boot`: a tuple of stages.
pub type Boot<Stages> = contracts::boot::Staged<Start, Stages>;

impl Begin for Start {
    fn begin(handover: usize, cycles: u64) -> Self {
        bare::remember(handover);
        let nothing = BootInfo { archive: &[], launch: &Launch::EMPTY, command_line: "", entry_cycles: cycles };
        Self { start_info: handover, rsdp: 0, boot_info: nothing }
    }

    fn boot_info(self) -> BootInfo {
        self.boot_info
    }
}

/// Bytes of the image in physical memory.
fn image() -> core::ops::Range<usize> {
    layout::IMAGE_START..layout::image_physical(layout::image_end())
}
