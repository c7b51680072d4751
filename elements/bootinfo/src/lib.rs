//! What firmware and virtual machine monitors tell a starting kernel: PVH start info with its memory map, the command
//! line, and the few ACPI tables that list processors, interrupt controllers and virtio devices.
//!
//! Pure parsing over bytes that the other side wrote: nothing here panics, loops or overflows on hostile input, a
//! field that cannot be read is simply not there. Structures may lie misaligned in memory; every field is read byte
//! by byte. There is no AML interpreter: see [`dsdt`] for what is read without one.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod acpi;
pub mod command_line;
pub mod dsdt;
pub mod madt;
mod memory;
pub mod pvh;
mod virtio_mmio;

pub use command_line::CommandLine;
pub use memory::Memory;
pub use pvh::{MemoryKind, MemoryRange, Module, StartInfo, StartInfoError};
pub use virtio_mmio::{Trigger, VirtioMmio};
