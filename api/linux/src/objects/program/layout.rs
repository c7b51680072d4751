//! Where a program is put.

use alloc::boxed::Box;
use core::ops::Range;

use elf::{Kind, Plan};
use kernel::memory::{AddressSpace, STACK_GAP};
use machine::{LARGE_PAGE_SIZE, PAGE_SIZE, page_align_up};

use super::refusal::Refusal;

/// Where a position-independent program is without randomisation: Linux' place, which debuggers expect.
const CUSTOMARY_BASE: usize = 0x5555_5555_4000;

/// Bytes kept free behind a position-independent program for its heap, if there is room.
const HEAP_ROOM: usize = 64 << 30;

/// How far the heap may begin behind the program (as on Linux).
const HEAP_SHIFT: usize = 32 << 20;

/// What is added to the plan's addresses.
pub fn load_address(plan: &Plan, space: &AddressSpace, randomize: bool) -> Result<usize, Box<Refusal>> {
    let limits = space.limits();
    let (start, end) = (address(plan.start())?, address(plan.end())?);
    let Kind::Relocatable { alignment } = plan.kind else {
        let inside = limits.start <= start && end <= limits.end;
        return if inside { Ok(0) } else { Err(impossible()) };
    };
    let alignment = address(alignment)?;
    let first = start - start % alignment;
    let length = (end - first).checked_add(alignment).ok_or_else(impossible)?;
    let window = limits.start..space.stack_window().start;
    let room = HEAP_ROOM.min((window.end - window.start) / 8);
    let length = length.checked_add(room).ok_or_else(impossible)?;
    let place = if randomize { space.random_place(window, length) } else { customary(window, length) };
    let base = place.ok_or_else(impossible)?.next_multiple_of(alignment);
    // Addresses below the load address are as good as others: the sums wrap round.
    Ok(base.wrapping_sub(first))
}

/// As [`load_address`] for a dynamic linker, which stands among the mappings, as on Linux.
pub fn linker_address(plan: &Plan, space: &AddressSpace) -> Result<usize, Box<Refusal>> {
    let (start, end) = (address(plan.start())?, address(plan.end())?);
    let Kind::Relocatable { alignment } = plan.kind else { return load_address(plan, space, false) };
    let alignment = address(alignment)?;
    let first = start - start % alignment;
    let length = (end - first).checked_add(alignment).ok_or_else(impossible)?;
    let base = space.room(length).ok_or_else(impossible)?.next_multiple_of(alignment);
    Ok(base.wrapping_sub(first))
}

fn customary(window: Range<usize>, length: usize) -> Option<usize> {
    let base = if window.contains(&CUSTOMARY_BASE) { CUSTOMARY_BASE } else { window.start.max(PAGE_SIZE) };
    (base.checked_add(length)? <= window.end).then_some(base)
}

fn address(value: u64) -> Result<usize, Box<Refusal>> {
    usize::try_from(value).map_err(|_| impossible())
}

/// No such addresses.
pub fn impossible() -> Box<Refusal> {
    Refusal::Addresses.boxed()
}

/// Where the heap of brk(2) begins: behind the program, a little further at random.
pub fn break_start(end: usize, space: &AddressSpace, randomize: bool) -> usize {
    let limit = space.limits().end;
    let aligned = page_align_up(end).unwrap_or(limit).min(limit);
    if !randomize {
        return aligned;
    }
    let window = aligned..aligned.saturating_add(HEAP_SHIFT).min(limit);
    space.random_place(window, PAGE_SIZE).unwrap_or(aligned)
}

/// Bytes left free above a main stack at the highest place: for the functions there, and because a short copy is known
/// to be inside the program's addresses by a page behind its first byte.
const ABOVE: usize = 4 * PAGE_SIZE;

/// Free addresses for the `size` highest bytes of the main stack, with room below for it to grow to `limit` bytes, and
/// further if the program raises that (Linux keeps 128 MB at least).
pub fn stack(size: usize, limit: usize, space: &AddressSpace, randomize: bool) -> Option<Range<usize>> {
    let room = page_align_up(limit.clamp(128 << 20, 4 << 30))? + STACK_GAP;
    let window = space.stack_window();
    let place = if randomize {
        space.random_place(window, room)?
    } else {
        window.end.checked_sub(room + ABOVE).filter(|&start| start >= window.start)?
    };
    Some(place + room - size..place + room)
}

/// An address for `length` bytes above the main stack, which ends at `stack_end`, among the pages that share its page
/// table; 0 if there is no room.
pub fn above_stack(stack_end: usize, length: usize, space: &AddressSpace, randomize: bool) -> usize {
    let start = stack_end.saturating_add(PAGE_SIZE);
    let window = start..start.next_multiple_of(LARGE_PAGE_SIZE).min(space.limits().end);
    if randomize { space.random_place(window, length).unwrap_or(0) } else { start }
}
