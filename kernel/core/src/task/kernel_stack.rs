//! Kernel stacks, each with room for a thread's vector registers. When a thread has ended, both are kept for the next.

use alloc::vec::Vec;

use machine::MemoryRefused;
use sync::Mutex;

/// As much of an area for vector registers as they must be aligned to (XSAVE).
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Line([u8; 64]);

/// A stack and room for registers that nobody uses.
pub(super) struct KernelStack {
    /// Top of the stack.
    pub(super) top: usize,
    /// The room; empty as long as none has been made.
    pub(super) vectors: Vec<Line>,
}

static WAITING: Mutex<Vec<KernelStack>> = Mutex::new(Vec::new());
/// Most that are kept.
const MOST: usize = 16;

impl KernelStack {
    /// One that waits, or a new stack.
    #[inline]
    pub(super) fn take() -> Result<Self, MemoryRefused> {
        if let Some(stack) = WAITING.lock_in_line().pop() {
            return Ok(stack);
        }
        Ok(Self { top: contracts::kernel_memory::allocate_stack()?, vectors: Vec::new() })
    }

    /// Keeps it for the next thread: what a saved state leaves in the room is as good as zeros for another one.
    #[inline(never)]
    pub(super) fn put_by(self) {
        let mut waiting = WAITING.lock_in_line();
        if waiting.len() < MOST {
            return waiting.push(self);
        }
        drop(waiting);
        contracts::kernel_memory::free_stack(self.top);
    }
}

/// New room.
#[inline(never)]
pub(super) fn room() -> Vec<Line> {
    let lines = instruction_set::vector::extended_state().size.div_ceil(size_of::<Line>());
    alloc::vec![Line([0; 64]); lines]
}
