//! Copies across the border to the program's addresses.

use core::num::NonZeroUsize;

use machine::{Fault, SpaceHandle};
use unfilled::Unfilled;
use x86_64::user;

use crate::{layout::user_range, memory::hidden};

/// The machine's [`machine::UserMemory`].
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
    #[inline(never)]
    fn copy_in(&self, destination: &mut [u8], source: usize) -> Result<(), Fault> {
        user::copy_in(&user_range(), destination, source)
    }

    fn fill(&self, to: &mut Unfilled<'_>, count: usize, source: usize) -> Result<(), Fault> {
        user::fill(&user_range(), to, count, source)
    }

    fn copy_out(&self, destination: usize, source: &[u8]) -> Result<(), Fault> {
        user::copy_out(&user_range(), destination, source)
    }

    #[inline(always)]
    fn copy_in_here(&self, destination: &mut [u8], source: usize) -> Option<NonZeroUsize> {
        user::copy_in_here(&user_range(), destination, source)
    }

    #[inline(always)]
    fn copy_out_here(&self, destination: usize, source: &[u8]) -> Option<NonZeroUsize> {
        user::copy_out_here(&user_range(), destination, source)
    }

    fn read_word(&self, address: usize) -> Result<u64, Fault> {
        user::read_word(&user_range(), address)
    }

    fn read_half(&self, address: usize) -> Result<u32, Fault> {
        user::read_half(&user_range(), address)
    }

    fn write_word(&self, address: usize, value: u64) -> Result<(), Fault> {
        user::write_word(&user_range(), address, value)
    }

    fn write_half(&self, address: usize, value: u32) -> Result<(), Fault> {
        user::write_half(&user_range(), address, value)
    }

    fn compare_exchange(&self, address: usize, expected: u32, new: u32) -> Result<u32, Fault> {
        user::compare_exchange(&user_range(), address, expected, new)
    }

    fn zero(&self, destination: usize, length: usize) -> Result<(), Fault> {
        user::zero(&user_range(), destination, length)
    }

    fn copy_string(&self, destination: &mut [u8], source: usize) -> Result<Option<usize>, Fault> {
        user::copy_string(&user_range(), destination, source)
    }

    fn lend(&self, _: &SpaceHandle, address: usize, length: usize, fill: &mut dyn FnMut(&mut [&mut [u8]])) -> bool {
        let times = hidden::times();
        if !sync::is_alone() || user::bring_in(&user_range(), address, length).is_err() || hidden::times() != times {
            return false;
        }
        // SAFETY: all of it is there, still, and writable, and the program's, so no Rust reference covers it; with one
        // processor nobody uses or unmaps it before `fill` returns.
        fill(&mut [unsafe { core::slice::from_raw_parts_mut(address as *mut u8, length) }]);
        true
    }

    #[inline(always)]
    fn open_place(&self, address: usize, length: usize) -> bool {
        // With one processor, nobody changes mappings or bytes before we leave the kernel.
        sync::is_alone() && user::can_be_stored_to(&user_range(), address, length)
    }

    #[inline(always)]
    fn close_place(&self) {}
}
