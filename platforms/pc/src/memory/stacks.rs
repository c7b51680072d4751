//! Kernel stacks for threads: addresses of their own, so that a page below each can stay unmapped.
//!
//! A stack that is given back keeps its frames and waits in a chain for the next thread: making and ending threads
//! touches no page table, and no other processor has a translation to forget.

use machine::{MemoryRefused, PAGE_SIZE, PageRange};
use paging::{Entry, MapError, PageSize};
use sync::Mutex;

use super::{KERNEL, space::in_kernel_half, tables::free_frames};
use crate::{layout::STACKS_BASE, per_cpu::stacks::KERNEL_STACK};

/// Distance of two stacks: the page that faults, and the stack.
const STRIDE: usize = PAGE_SIZE + KERNEL_STACK;

/// Stacks that exist.
struct Stacks {
    /// How many have been made.
    made: usize,
    /// Top of the first one that waits; 0 if none does. The word below its top says which is next.
    waiting: usize,
}

static STACKS: Mutex<Stacks> = Mutex::new(Stacks { made: 0, waiting: 0 });

/// See [`machine::KernelMemory::allocate_stack`].
pub fn allocate() -> Result<usize, MemoryRefused> {
    let mut stacks = STACKS.lock();
    if stacks.waiting != 0 {
        let top = stacks.waiting;
        // SAFETY: a stack that waits is mapped and nobody's.
        stacks.waiting = unsafe { link(top).read() };
        return Ok(top);
    }
    let top = STACKS_BASE + (stacks.made + 1) * STRIDE;
    map(top - KERNEL_STACK..top)?;
    stacks.made += 1;
    Ok(top)
}

/// See [`machine::KernelMemory::free_stack`].
pub fn free(top: usize) {
    let mut stacks = STACKS.lock();
    let place = top.wrapping_sub(STACKS_BASE);
    assert!(place.is_multiple_of(STRIDE) && place / STRIDE <= stacks.made, "not a kernel stack");
    // SAFETY: the stack is mapped, and the caller gives it up.
    unsafe { link(top).write(stacks.waiting) };
    stacks.waiting = top;
}

const fn link(top: usize) -> *mut usize {
    (top - size_of::<usize>()) as *mut usize
}

/// The stack of a thread that an address lies on, if it is one: its first address, and its size.
pub fn kernel_stack(address: usize) -> Option<(usize, usize)> {
    let index = address.checked_sub(STACKS_BASE)? / STRIDE;
    let made = STACKS.try_lock()?.made;
    let top = STACKS_BASE + (index + 1) * STRIDE;
    (index < made).then_some((top - KERNEL_STACK, KERNEL_STACK))
}

/// Maps frames of the kernel at `range`; when memory runs out on the way, all of it is given back.
pub fn map(range: PageRange) -> Result<(), MemoryRefused> {
    const FLAGS: u64 = Entry::PRESENT | Entry::GLOBAL | Entry::NO_EXECUTE | Entry::WRITABLE;
    for page in range.clone().step_by(PAGE_SIZE) {
        let frame = contracts::frames::allocate().map(|frame| frame * PAGE_SIZE);
        let mapped = frame.is_some_and(|frame| {
            let entry = Entry::new(frame, FLAGS);
            in_kernel_half(page, |tables| tables.map_run(page, PageSize::Small, entry, 1)).is_ok()
        });
        if !mapped {
            frame.into_iter().for_each(|frame| free_frames(frame, 1));
            unmap(range.start..page);
            return Err(MemoryRefused::OutOfMemory);
        }
    }
    Ok(())
}

/// Takes pages away again that nobody has touched, so that no translation of them is anywhere.
fn unmap(range: PageRange) {
    range.step_by(PAGE_SIZE).for_each(|page| {
        let mut frame = None;
        let _ = KERNEL.lock().tables().update(page, PageSize::Small, |_, entry| {
            frame = Some(entry.address());
            Ok::<_, MapError>(Entry::EMPTY)
        });
        frame.into_iter().for_each(|frame| free_frames(frame, 1));
    });
}
