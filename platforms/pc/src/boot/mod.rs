//! From the loader's jump to the kernel's main: the stages that the image names, in its order.

mod address_space;
mod found;
mod ram;
mod stages;

use core::marker::PhantomData;

use launch::Launch;
use machine::BootInfo;

use crate::{bare, layout};

pub use stages::{Devices, Entropy, Interrupts, Memory, SystemCalls, Time, Traps};

/// The first Rust code, called by `boot/entry.s` on the boot stack: `start_info` is the physical address of the PVH
/// start info, `cycles` the time stamp of the first instruction.
#[unsafe(export_name = "whittle_start")]
extern "C" fn start(start_info: usize, cycles: u64) -> ! {
    contracts::boot::start(start_info, cycles)
}

/// A part of the machine that is made ready at boot. What a stage needs from others is in its component's manifest;
/// `whittle build` orders them by it.
pub trait Stage {
    /// Makes the part ready.
    fn run(start: &mut Start);
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
#[derive(Debug, Default)]
pub struct Boot<Stages>(PhantomData<fn() -> Stages>);

impl<Stages> Boot<Stages> {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<Stages: Stage> machine::Boot for Boot<Stages> {
    fn start(&self, handover: usize, cycles: u64) -> ! {
        bare::remember(handover);
        let nothing = BootInfo { archive: &[], launch: &Launch::EMPTY, command_line: "", entry_cycles: cycles };
        let mut start = Start { start_info: handover, rsdp: 0, boot_info: nothing };
        Stages::run(&mut start);
        contracts::kernel::main(start.boot_info)
    }
}

macro_rules! tuples {
    ($($stage:ident)*) => {
        impl<$($stage: Stage),*> Stage for ($($stage,)*) {
            fn run(_start: &mut Start) {
                $($stage::run(_start);)*
            }
        }
    };
}

tuples!();
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);

/// Bytes of the image in physical memory.
fn image() -> core::ops::Range<usize> {
    layout::IMAGE_START..layout::image_physical(layout::image_end())
}
