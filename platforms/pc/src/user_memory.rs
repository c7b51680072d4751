//! The contract `user_memory`: the shared routines, with SMAP opened around them.

use core::{arch::asm, num::NonZeroUsize};

use machine::{Fault, SpaceHandle};
use unfilled::Unfilled;
use x86_64::user;

use crate::{
    layout::USER,
    memory::{self, Space},
    per_cpu::features::guards_access,
};

/// Provider of the contract `user_memory`.
#[derive(Debug, Default)]
pub struct UserMemory;

impl UserMemory {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::UserMemory for UserMemory {
    fn copy_in(&self, destination: &mut [u8], source: usize) -> Result<(), Fault> {
        with_access(|| user::copy_in(&USER, destination, source))
    }

    fn fill(&self, to: &mut Unfilled<'_>, count: usize, source: usize) -> Result<(), Fault> {
        with_access(|| user::fill(&USER, to, count, source))
    }

    fn copy_out(&self, destination: usize, source: &[u8]) -> Result<(), Fault> {
        with_access(|| user::copy_out(&USER, destination, source))
    }

    #[inline(always)]
    fn copy_in_here(&self, destination: &mut [u8], source: usize) -> Option<NonZeroUsize> {
        with_access(|| user::copy_in_here(&USER, destination, source))
    }

    #[inline(always)]
    fn copy_out_here(&self, destination: usize, source: &[u8]) -> Option<NonZeroUsize> {
        with_access(|| user::copy_out_here(&USER, destination, source))
    }

    fn read_word(&self, address: usize) -> Result<u64, Fault> {
        with_access(|| user::read_word(&USER, address))
    }

    fn read_half(&self, address: usize) -> Result<u32, Fault> {
        with_access(|| user::read_half(&USER, address))
    }

    fn write_word(&self, address: usize, value: u64) -> Result<(), Fault> {
        with_access(|| user::write_word(&USER, address, value))
    }

    fn write_half(&self, address: usize, value: u32) -> Result<(), Fault> {
        with_access(|| user::write_half(&USER, address, value))
    }

    fn compare_exchange(&self, address: usize, expected: u32, new: u32) -> Result<u32, Fault> {
        with_access(|| user::compare_exchange(&USER, address, expected, new))
    }

    fn zero(&self, destination: usize, length: usize) -> Result<(), Fault> {
        with_access(|| user::zero(&USER, destination, length))
    }

    fn copy_string(&self, destination: &mut [u8], source: usize) -> Result<Option<usize>, Fault> {
        with_access(|| user::copy_string(&USER, destination, source))
    }

    fn lend(&self, space: &SpaceHandle, address: usize, length: usize, fill: &mut dyn FnMut(&mut [&mut [u8]])) -> bool {
        // With one processor, nobody changes tables or bytes before we leave the kernel.
        sync::is_alone()
            && with_access(|| user::bring_in(&USER, address, length)).is_ok()
            && memory::lend(Space::of(space), address, length, fill)
    }

    #[inline(always)]
    fn open_place(&self, address: usize, length: usize) -> bool {
        // With one processor, nobody changes tables or bytes before we leave the kernel.
        if !sync::is_alone() {
            return false;
        }
        open_access(guards_access());
        let is_there = user::can_be_stored_to(&USER, address, length);
        if !is_there {
            close_access(guards_access());
        }
        is_there
    }

    #[inline(always)]
    fn close_place(&self) {
        close_access(guards_access());
    }
}

/// Runs `touch`, in which the kernel may use the application's pages. A fault on the way enters the kernel with the
/// override still set, and ends here again.
#[inline(always)]
pub fn with_access<R>(touch: impl FnOnce() -> R) -> R {
    // Looked at once: each look is an instruction more in every copy.
    let guarded = guards_access();
    open_access(guarded);
    let result = touch();
    close_access(guarded);
    result
}

#[inline(always)]
fn open_access(guarded: bool) {
    if guarded {
        // SAFETY: changes one flag, which only SMAP looks at.
        unsafe { asm!("stac", options(nostack)) };
    }
}

#[inline(always)]
fn close_access(guarded: bool) {
    if guarded {
        // SAFETY: as above.
        unsafe { asm!("clac", options(nostack)) };
    }
}
