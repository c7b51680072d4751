//! Mapping files.

use kernel::memory::{MapRequest, RegionKind};
use linux_abi::constants::{MAP_PRIVATE, MAP_TYPE};
use machine::{Source, page_align_up};

use crate::{Result, files, memory::mmap};

/// Maps the file behind `descriptor`; `request.offset` says from where on.
pub fn map(request: &mut MapRequest, descriptor: i32, flags: u32) -> Result {
    let shared = flags & MAP_TYPE != MAP_PRIVATE;
    let (node, file) = files::mappable(descriptor, shared, request.protection.write)?;
    request.kind = RegionKind::File;
    request.file = Some(file);
    request.source = files::source(&*node, request.offset, shared)?;
    if let Source::Archive { .. } = request.source {
        let left = usize::try_from(node.metadata().size.saturating_sub(request.offset)).unwrap_or(usize::MAX);
        let present = page_align_up(left).unwrap_or(usize::MAX);
        if present < request.length {
            return map_with_tail(request, present);
        }
    }
    mmap::place(request)
}

/// A mapping of the archive that is longer than the file: touching pages behind its end is SIGBUS.
fn map_with_tail(request: &mut MapRequest, present: usize) -> Result {
    let (source, protection) = (request.source, request.protection);
    let nothing = machine::Protection { read: false, write: false, execute: false };
    (request.source, request.protection, request.kind) = (Source::Zero, nothing, RegionKind::BehindFile);
    let address = mmap::place(request)?;
    if present > 0 {
        (request.source, request.protection, request.kind) = (source, protection, RegionKind::File);
        (request.address, request.length) = (address, present);
        request.placement = kernel::memory::Placement::Fixed;
        mmap::place(request)?;
    }
    Ok(address)
}
