//! Mapping files.

use kernel::memory::{MapRequest, RegionKind};
use linux_abi::{
    Errno,
    constants::{self as c, MAP_PRIVATE, MAP_SHARED_VALIDATE, MAP_TYPE},
};
use machine::{Source, page_align_up};

use super::place;
use crate::{Result, objects::files};

/// Flags that MAP_SHARED_VALIDATE knows, sizes of huge pages among them: `LEGACY_MAP_MASK` of Linux.
const KNOWN: u32 = MAP_TYPE & MAP_SHARED_VALIDATE
    | c::MAP_FIXED
    | c::MAP_ANONYMOUS
    | c::MAP_32BIT
    | MAP_ABOVE4G
    | c::MAP_GROWSDOWN
    | c::MAP_DENYWRITE
    | c::MAP_EXECUTABLE
    | c::MAP_LOCKED
    | c::MAP_NORESERVE
    | c::MAP_POPULATE
    | c::MAP_NONBLOCK
    | c::MAP_STACK
    | c::MAP_HUGETLB
    | MAP_HUGE_SIZES;

/// Kept free for who wants addresses above 4 GB: nothing here.
const MAP_ABOVE4G: u32 = 0x80;
/// The sizes of huge pages that Linux has on x86-64, 2 MB and 1 GB.
const MAP_HUGE_SIZES: u32 = (21 | 30) << 26;

/// Maps the file behind `descriptor`; `request.offset` says from where on.
#[inline(never)]
pub fn map(request: &mut MapRequest, descriptor: i32, flags: u32) -> Result {
    let shared = flags & MAP_TYPE != MAP_PRIVATE;
    if flags & MAP_TYPE == MAP_SHARED_VALIDATE && flags & !KNOWN != 0 {
        return files::usable(descriptor).and(Err(Errno::EOPNOTSUPP));
    }
    let Some((node, file)) = files::mappable(descriptor, shared, request.protection.write)? else {
        request.kind = if shared { RegionKind::Shared } else { RegionKind::Data };
        request.offset = 0;
        return place(request);
    };
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
    place(request)
}

/// A mapping of the archive that is longer than the file: touching pages behind its end is SIGBUS.
fn map_with_tail(request: &mut MapRequest, present: usize) -> Result {
    let (source, protection) = (request.source, request.protection);
    let nothing = machine::Protection { read: false, write: false, execute: false };
    (request.source, request.protection, request.kind) = (Source::Zero, nothing, RegionKind::BehindFile);
    let address = place(request)?;
    if present > 0 {
        (request.source, request.protection, request.kind) = (source, protection, RegionKind::File);
        (request.address, request.length) = (address, present);
        request.placement = kernel::memory::Placement::Fixed;
        place(request)?;
    }
    Ok(address)
}
