//! Segment descriptors and the task state with its interrupt stacks, as each processor has them (Intel SDM volume 3,
//! 3.4,
//! 7.7).

use x86_64::registers::{msr, write_msr};

use super::area;

/// Selectors of code and stack as the kernel has them, and an application at ring 0.
pub const KERNEL_SEGMENTS: (u64, u64) = (0x10, 0x18);
/// Those of an application at ring 3: Linux's numbers, which some programs know. SYSRET wants them in this order.
pub const APPLICATION_SEGMENTS: (u64, u64) = (0x33, 0x2b);
/// The selector of the task state.
pub const TASK: u16 = 0x38;
/// The selector of a segment whose limit is the processor's number. Programs at any ring may ask for it (LSL).
pub const PROCESSOR_SEGMENT: u16 = 0x8 | 3;
/// Its descriptor for processor 0: data to read, accessed, for ring 3.
pub const PROCESSOR_DESCRIPTOR: u64 = 0x0040_f100_0000_0000;

/// The processor's own tables.
#[repr(C, align(16))]
pub struct Segments {
    /// The descriptors.
    pub descriptors: [u64; 9],
    /// The task state.
    pub task: Task,
}

/// The 64-bit task state segment.
#[repr(C, packed(4))]
pub struct Task {
    reserved_0: u32,
    ring_stacks: [u64; 3],
    reserved_1: u64,
    /// Tops of the interrupt stacks.
    pub interrupt_stacks: [u64; 7],
    reserved_2: u64,
    reserved_3: u16,
    io_map: u16,
}

impl Segments {
    /// Without addresses.
    pub const EMPTY: Self = Self {
        descriptors: [
            0,
            PROCESSOR_DESCRIPTOR,  // 0x8
            0x00af_9b00_0000_ffff, // 0x10: kernel code
            0x00cf_9300_0000_ffff, // 0x18: kernel data
            0,
            0x00cf_f300_0000_ffff, // 0x28: application data
            0x00af_fb00_0000_ffff, // 0x30: application code
            0,
            0, // 0x38: task state, two words
        ],
        task: Task {
            reserved_0: 0,
            ring_stacks: [0; 3],
            reserved_1: 0,
            interrupt_stacks: [0; 7],
            reserved_2: 0,
            reserved_3: 0,
            io_map: size_of::<Task>() as u16,
        },
    };
}

/// Points GS to this processor's block, whatever it was: when the kernel dies in a place where it might be the
/// application's.
pub fn claim_segment_base() {
    // SAFETY: the register exists, and the block is what kernel code expects there.
    unsafe { write_msr(msr::GS_BASE, area::block_here() as u64) };
}
