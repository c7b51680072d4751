//! remap_file_pages(2): shows other pages of a shared file.

use kernel::memory::{MapRequest, Placement, RegionKind};
use linux_abi::Errno;
use machine::{PAGE_SIZE, Source, page_align_down};

use crate::objects::mappings;
use crate::{Call, Result};

/// As Linux since 4.0: maps the file anew over the range, which must lie in one mapping.
pub fn remap_file_pages(call: &mut Call) -> Result {
    let (start, length) = (page_align_down(call.argument(0)), page_align_down(call.argument(1)));
    let (protection, page) = (call.argument(2), call.argument(3));
    let end = start.checked_add(length).filter(|&end| end > start).ok_or(Errno::EINVAL)?;
    let offset = page.checked_mul(PAGE_SIZE).filter(|offset| offset.checked_add(length).is_some());
    let region = crate::space().region(start).filter(|region| protection == 0 && region.end >= end);
    let (Some(offset), Some(region)) = (offset, region) else { return Err(Errno::EINVAL) };
    let source = match region.source {
        Source::File { shared: true } => region.source,
        Source::Direct { handle, shared: true, .. } => Source::Direct { handle, offset: offset as u64, shared: true },
        _ => return Err(Errno::EINVAL),
    };
    mappings::place(&MapRequest {
        address: start,
        length,
        placement: Placement::Fixed,
        protection: region.protection,
        source,
        kind: RegionKind::File,
        file: region.file,
        offset: offset as u64,
        reserve: true,
        grows_down: false,
    })?;
    crate::space().fault_in(start..end);
    Ok(0)
}
