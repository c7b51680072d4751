//! Mapping files.

use kernel::memory::{MapRequest, RegionKind};
use linux_abi::{Errno, FileDescriptor, constants::MapFlags};
use machine::{Source, page_align_up};

use super::{place, share};
use crate::{
    Result,
    objects::{files, sites},
};

/// Flags that MAP_SHARED_VALIDATE knows, sizes of huge pages among them: `LEGACY_MAP_MASK` of Linux.
const KNOWN: MapFlags = MapFlags::MAP_SHARED_VALIDATE
    .union(MapFlags::MAP_FIXED)
    .union(MapFlags::MAP_ANONYMOUS)
    .union(MapFlags::MAP_32BIT)
    .union(MAP_ABOVE4G)
    .union(MapFlags::MAP_GROWSDOWN)
    .union(MapFlags::MAP_DENYWRITE)
    .union(MapFlags::MAP_EXECUTABLE)
    .union(MapFlags::MAP_LOCKED)
    .union(MapFlags::MAP_NORESERVE)
    .union(MapFlags::MAP_POPULATE)
    .union(MapFlags::MAP_NONBLOCK)
    .union(MapFlags::MAP_STACK)
    .union(MapFlags::MAP_HUGETLB)
    .union(MAP_HUGE_SIZES);

/// Kept free for who wants addresses above 4 GB: nothing here.
const MAP_ABOVE4G: MapFlags = MapFlags::from_bits_retain(0x80);
/// The sizes of huge pages that Linux has on x86-64, 2 MB and 1 GB.
const MAP_HUGE_SIZES: MapFlags = MapFlags::from_bits_retain((21 | 30) << 26);

/// Maps the file behind `descriptor`; `request.offset` says from where on.
#[inline(never)]
pub fn map(request: &mut MapRequest, descriptor: FileDescriptor, flags: MapFlags) -> Result {
    let shared = flags.sharing() != MapFlags::MAP_PRIVATE;
    if flags.sharing() == MapFlags::MAP_SHARED_VALIDATE && !KNOWN.contains(flags) {
        return files::usable(descriptor).and(Err(Errno::EOPNOTSUPP));
    }
    let Some((node, file)) = files::mappable(descriptor, shared, request.protection.write)? else {
        request.offset = 0;
        if shared {
            share(request)?;
        }
        return place(request);
    };
    request.kind = RegionKind::File;
    request.file = Some(file);
    sites::mapped(&*node, request);
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
