//! The slot `user_memory`: copies by the pages of the active space, which are brought in by the kernel as after a
//! fault.

use std::num::NonZeroUsize;

use machine::{Access, Fault, PAGE_SIZE, SpaceHandle, page_align_down};
use unfilled::Unfilled;

use crate::{pager, place::bytes_of, processor};

/// Fills the slot.
#[derive(Debug)]
pub struct UserMemory;

/// The place in the host's memory of `address` in the active space.
fn place(address: usize, access: Access) -> Result<usize, Fault> {
    crate::place::place(processor::active_space(), address, access, &|| {
        contracts::kernel::resolve_fault(address, access)
    })
    .ok_or(Fault { address })
}

/// The same of `length` bytes, at most a page, if their pages are there already.
fn places_here(address: usize, length: usize, access: Access) -> Option<Vec<(usize, usize)>> {
    let first = length.min(PAGE_SIZE - address % PAGE_SIZE);
    let parts =
        [(address, first), (address.wrapping_add(first), length - first)].into_iter().filter(|&(_, count)| count > 0);
    parts
        .map(|(at, count)| Some((crate::place::place(processor::active_space(), at, access, &|| false)?, count)))
        .collect()
}

/// Visits `length` bytes page by page: where in the copy a part begins, and its bytes. Bytes before a fault are
/// visited.
fn each_part(
    address: usize,
    length: usize,
    access: Access,
    mut visit: impl FnMut(usize, &mut [u8]),
) -> Result<(), Fault> {
    let mut done = 0;
    while done < length {
        let at = address.checked_add(done).ok_or(Fault { address })?;
        let count = (PAGE_SIZE - at % PAGE_SIZE).min(length - done);
        visit(done, bytes_of(place(at, access)?, count));
        done += count;
    }
    Ok(())
}

impl machine::UserMemory for UserMemory {
    fn copy_in(&self, destination: &mut [u8], source: usize) -> Result<(), Fault> {
        each_part(source, destination.len(), Access::Read, |from, part| {
            destination[from..from + part.len()].copy_from_slice(part);
        })
    }

    fn fill(&self, to: &mut Unfilled<'_>, count: usize, source: usize) -> Result<(), Fault> {
        each_part(source, count.min(to.room()), Access::Read, |_, part| {
            to.put(part);
        })
    }

    fn copy_out(&self, destination: usize, source: &[u8]) -> Result<(), Fault> {
        each_part(destination, source.len(), Access::Write, |from, part| {
            part.copy_from_slice(&source[from..from + part.len()])
        })
    }

    fn copy_in_here(&self, destination: &mut [u8], source: usize) -> Option<NonZeroUsize> {
        let places = places_here(source, destination.len(), Access::Read)?;
        let count = NonZeroUsize::new(destination.len());
        let mut rest = destination;
        for (place, count) in places {
            let (part, behind) = rest.split_at_mut(count);
            part.copy_from_slice(bytes_of(place, count));
            rest = behind;
        }
        count
    }

    fn copy_out_here(&self, destination: usize, source: &[u8]) -> Option<NonZeroUsize> {
        let places = places_here(destination, source.len(), Access::Write)?;
        let mut rest = source;
        for (place, count) in places {
            let (part, behind) = rest.split_at(count);
            bytes_of(place, count).copy_from_slice(part);
            rest = behind;
        }
        NonZeroUsize::new(source.len())
    }

    fn read_word(&self, address: usize) -> Result<u64, Fault> {
        let mut bytes = [0; 8];
        self.copy_in(&mut bytes, address).map(|()| u64::from_le_bytes(bytes))
    }

    fn read_half(&self, address: usize) -> Result<u32, Fault> {
        let mut bytes = [0; 4];
        self.copy_in(&mut bytes, address).map(|()| u32::from_le_bytes(bytes))
    }

    fn write_word(&self, address: usize, value: u64) -> Result<(), Fault> {
        self.copy_out(address, &value.to_le_bytes())
    }

    fn write_half(&self, address: usize, value: u32) -> Result<(), Fault> {
        self.copy_out(address, &value.to_le_bytes())
    }

    fn compare_exchange(&self, address: usize, expected: u32, new: u32) -> Result<u32, Fault> {
        use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
        let place = place(address, Access::Write)?;
        // SAFETY: a word of a frame that the space shows, which nobody takes away while this thread runs; the address
        // is a multiple of four.
        let word = unsafe { AtomicU32::from_ptr(place as *mut u32) };
        Ok(word.compare_exchange(expected, new, SeqCst, SeqCst).unwrap_or_else(|found| found))
    }

    fn zero(&self, destination: usize, length: usize) -> Result<(), Fault> {
        each_part(destination, length, Access::Write, |_, part| part.fill(0))
    }

    fn copy_string(&self, destination: &mut [u8], source: usize) -> Result<Option<usize>, Fault> {
        for (index, byte) in destination.iter_mut().enumerate() {
            self.copy_in(std::slice::from_mut(byte), source + index)?;
            if *byte == 0 {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    fn lend(&self, space: &SpaceHandle, address: usize, length: usize, fill: &mut dyn FnMut(&mut [&mut [u8]])) -> bool {
        let mut places = Vec::new();
        let mut at = address;
        while at < address + length {
            let page = page_align_down(at);
            let count = (page + PAGE_SIZE).min(address + length) - at;
            let frame = pager::with(space.word(), |space| {
                let leaf = space.leaves.get(&page).filter(|leaf| leaf.is_owned() && leaf.allows(Access::Write));
                leaf.map(|leaf| leaf.frame)
            });
            let Some(frame) = frame else { return false };
            places.push((frame + (at - page), count));
            at += count;
        }
        fill(&mut places.into_iter().map(|(place, count)| bytes_of(place, count)).collect::<Vec<_>>());
        true
    }

    // A program's addresses are none of the host's.
    fn open_place(&self, _: usize, _: usize) -> bool {
        false
    }

    fn close_place(&self) {}
}
