//! Mapping a program's segments.

use alloc::boxed::Box;

use elf::Segment;
use kernel::memory::{AddressSpace, MapRequest, MemoryError, Placement, RegionKind};
use linux_abi::UserAddress;
use machine::{PageRange, Protection, Source};

use super::{image::Image, prepare::Executable, refusal::Refusal};
use crate::objects::user;

/// Bytes of memory from which on a program is held against what the machine has.
const WORTH_A_QUESTION: u64 = 1 << 24;

fn needed(file: &Executable) -> u64 {
    file.plan.segments.iter().fold(0, |sum: u64, segment| sum.saturating_add(segment.memory_length))
}

/// Maps all segments, `load_address` further on.
pub fn segments(file: &Executable, load_address: usize, space: &AddressSpace) -> Result<(), Box<Refusal>> {
    let needed = needed(file);
    if needed >= WORTH_A_QUESTION {
        let total = contracts::memory_report::memory_use().total as u64;
        if needed > total {
            return Err(Refusal::Memory(needed, total).boxed());
        }
    }
    for segment in &file.plan.segments {
        let placed = Placed { segment, load_address, space, image: &file.image };
        placed.map_file_part().and_then(|()| placed.map_zero_part()).map_err(|error| refused(error, needed))?;
    }
    Ok(())
}

/// Why `needed` bytes could not be mapped.
#[cold]
pub fn refused(error: MemoryError, needed: u64) -> Box<Refusal> {
    match error {
        MemoryError::OutOfMemory => Refusal::Memory(needed, contracts::memory_report::memory_use().total as u64),
        _ => Refusal::Addresses,
    }
    .boxed()
}

/// A segment and where it goes. The plan has checked that none of these sums overflows.
struct Placed<'a> {
    segment: &'a Segment,
    load_address: usize,
    space: &'a AddressSpace,
    image: &'a Image,
}

impl Placed<'_> {
    fn at(&self, address: u64) -> usize {
        self.load_address.wrapping_add(address as usize)
    }

    fn protection(&self) -> Protection {
        let rights = self.segment.rights;
        Protection { read: rights.read, write: rights.write, execute: rights.execute }
    }

    /// The pages with bytes of the file.
    fn map_file_part(&self) -> Result<(), MemoryError> {
        let segment = self.segment;
        if segment.file_length == 0 {
            return Ok(());
        }
        let pages = self.at(segment.page_start())..self.at(segment.file_page_end());
        let offset = segment.offset - segment.address % machine::PAGE_SIZE as u64;
        let source = self.image.source(offset).map_err(|_| MemoryError::BadRange)?;
        self.map(pages, source, self.protection(), Some(offset))?;
        self.clear_tail()
    }

    /// The pages behind them.
    fn map_zero_part(&self) -> Result<(), MemoryError> {
        let pages = self.at(self.segment.file_page_end())..self.at(self.segment.page_end());
        if pages.is_empty() {
            return Ok(());
        }
        self.map(pages, Source::Zero, self.protection(), None)
    }

    /// Maps pages; `offset` is where in the file they are, if they are of the file.
    fn map(
        &self,
        pages: PageRange,
        source: Source,
        protection: Protection,
        offset: Option<u64>,
    ) -> Result<(), MemoryError> {
        let request = MapRequest {
            address: pages.start,
            length: pages.len(),
            placement: Placement::FixedNoReplace,
            protection,
            source,
            kind: if offset.is_some() { RegionKind::Image } else { RegionKind::Data },
            file: offset.map(|_| self.image.reference.clone()),
            offset: offset.unwrap_or(0),
            reserve: true,
            grows_down: false,
        };
        self.image.mapped(&request);
        self.space.map(&request).map(|_| ())
    }

    /// Zeros behind the file's bytes on their last page, if the program has memory there that it can write: else
    /// whatever the file has there shows, as on Linux.
    fn clear_tail(&self) -> Result<(), MemoryError> {
        let segment = self.segment;
        if segment.memory_length == segment.file_length || !segment.rights.write {
            return Ok(());
        }
        let start = self.at(segment.address + segment.file_length);
        let length = self.at(segment.file_page_end()) - start;
        if length == 0 {
            return Ok(());
        }
        user::zero(UserAddress(start), length).map_err(|_| MemoryError::OutOfMemory)
    }
}
