//! This processor: its own data, its segments, its features, and the contract `processor`.

mod features;
mod per_processor;
mod provider;
mod segments;
pub mod stacks;
mod user_memory;

use launch::{Key, Launch};

pub use features::ring;
pub use per_processor::{KERNEL_STACK_TOP, PENDING, SCRATCH, kernel_stack_top, mark_pending, take_pending};
pub use provider::{Processor, idle};
pub use segments::{APPLICATION_SEGMENTS, KERNEL_SEGMENTS, claim_segment_base};
pub use user_memory::UserMemory;

/// Segments and vectors, so that a fault from here on is reported. First thing at boot.
pub fn prepare_segments() {
    per_processor::prepare();
    segments::load();
}

/// Features, and the entry for system calls from the ring that the launch record says.
pub fn start(launch: &Launch<'_>) {
    features::enable(if launch.number(Key::Ring) == Some(3) { 3 } else { 0 });
}
