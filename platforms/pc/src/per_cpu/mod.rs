//! What each processor has of its own, and what processors want of each other.

pub mod area;
pub mod block;
pub mod features;
pub mod segments;
pub mod smp;
pub mod stacks;

pub use block::{
    BACK, KERNEL_STACK_TOP, NO_ALARM, PENDING, PerProcessor, SCRATCH, Work, alarm, is_pending, kernel_stack_top,
    last_fault, mark_own_pending, mark_pending, number, repeated_faults, resources, set_alarm, set_last_fault,
    set_repeated_faults, set_space, set_thread, set_watching, space, take_pending, thread, watching,
};
pub use features::ring;
pub use segments::{APPLICATION_SEGMENTS, KERNEL_SEGMENTS, PROCESSOR_SEGMENT, claim_segment_base};
