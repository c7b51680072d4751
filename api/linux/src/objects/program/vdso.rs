//! The vDSO: a page of functions by which a program asks for the time without a system call (vdso(7)).

use alloc::boxed::Box;

use kernel::memory::{AddressSpace, MapRequest, Placement, RegionKind};
use machine::{PAGE_SIZE, Protection};

use super::{layout, load, refusal::Refusal};

/// Maps it above the main stack, which ends at `stack_end`; its address, 0 if there is none.
pub fn map(stack_end: usize, space: &AddressSpace, randomize: bool) -> Result<usize, Box<Refusal>> {
    if !contracts::config().vdso {
        return Ok(0);
    }
    let Some(source) = contracts::clock::program_page() else { return Ok(0) };
    let request = MapRequest {
        address: layout::above_stack(stack_end, PAGE_SIZE, space, randomize),
        length: PAGE_SIZE,
        placement: Placement::Hint,
        protection: Protection { read: true, write: false, execute: true },
        source,
        kind: RegionKind::Platform,
        file: None,
        offset: 0,
        reserve: false,
        grows_down: false,
    };
    space.map(&request).map_err(|error| load::refused(error, PAGE_SIZE as u64))
}
