//! The PC platform: QEMU's microvm and q35, KVM, Firecracker, whatever starts a PVH kernel.
//!
//! Read `boot` for the order of things, `layout` for where they are, `entry` for how applications come in. An image
//! fills the platform's slots with the types exported here and hands its panics to [`panic`].
#![no_std]
// The platform is where the machine is touched: registers, tables, device memory.
#![allow(unsafe_code)]

extern crate alloc;

mod apic;
mod bare;
mod board;
mod boot;
mod clock;
mod devices;
mod entropy;
mod entry;
mod interrupts;
mod layout;
mod memory;
mod panics;
mod per_cpu;
mod power;
mod processor;
mod user_memory;
mod vdso;

pub use bare::{Alone, CommandLine, Deadline, Plain, PortConsole, Reset};
pub use boot::Boot;
pub use clock::Clock;
pub use entropy::Entropy;
pub use interrupts::Alarm;
pub use memory::{KernelMemory, MemoryReport, Translations};
pub use panics::panic;
pub use power::Power;
pub use processor::Processor;
pub use user_memory::UserMemory;
pub use virtio_devices::{Console, Disks, Nics, Shares};

/// The parts of the machine that a boot may make ready, for [`Boot`].
pub mod stage {
    pub use crate::boot::{Devices, Disks, Entropy, Interrupts, Memory, Nics, Shares, SystemCalls, Time, Traps};
}
