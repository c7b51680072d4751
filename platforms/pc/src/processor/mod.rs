//! This processor: its own data, its segments, its features, and the contract `processor`.

mod features;
mod interprocessor;
mod others;
mod per_processor;
mod provider;
mod segments;
pub mod stacks;
mod user_memory;

use launch::{Key, Launch};

pub use features::ring;
pub use interprocessor::{
    have_leave, is_stopping, notify, serve_interrupt, shoot_down, stop_here, stop_others, stop_others_now,
};
pub use per_processor::{
    KERNEL_STACK_TOP, NO_ALARM, PENDING, SCRATCH, Work, alarm, is_pending, kernel_stack_top, last_fault, mark_pending,
    number, repeated_faults, set_alarm, set_last_fault, set_repeated_faults, set_space, set_watching, space,
    take_pending, watching,
};
pub use provider::{CONTEXT_ROOM, Processor, idle};
pub use segments::{APPLICATION_SEGMENTS, KERNEL_SEGMENTS, PROCESSOR_SEGMENT, claim_segment_base};
pub use user_memory::UserMemory;

/// Segments and vectors, so that a fault from here on is reported. First thing at boot.
pub fn prepare_segments() {
    per_processor::prepare();
    segments::load();
}

/// Features, and the entry for system calls from the ring that the launch record says. `root_pointer` is the physical
/// address of ACPI's, for who asks how many processors there are.
pub fn start(launch: &'static Launch<'static>, root_pointer: u64) {
    others::remember(launch, root_pointer);
    features::enable(if launch.number(Key::Ring) == Some(3) { 3 } else { 0 });
}
