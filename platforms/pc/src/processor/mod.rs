//! This processor as the kernel sees it: the contract `processor`, what boot turns on, and the start of the others.

mod features;
mod others;
mod provider;
mod segments;

use launch::{Key, Launch};

use crate::per_cpu::block;
pub use provider::{Processor, idle};

/// Segments and vectors, so that a fault from here on is reported. First thing at boot.
pub fn prepare_segments() {
    block::prepare();
    segments::load();
}

/// Features, and the entry for system calls from the ring that the launch record says. `root_pointer` is the physical
/// address of ACPI's, for who asks how many processors there are.
pub fn start(launch: &'static Launch<'static>, root_pointer: u64) {
    others::remember(launch, root_pointer);
    features::enable(if launch.number(Key::Ring) == Some(3) { 3 } else { 0 });
}
