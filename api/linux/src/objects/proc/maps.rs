//! `/proc/self/maps`: the mappings of a process.

use alloc::vec::Vec;

use kernel::memory::{Region, RegionKind};

use super::with_space;
use crate::objects::{
    process::Process,
    text::{fill, pad},
};

/// Where a path begins in a line.
const PATH_COLUMN: usize = 73;

/// A line a region.
pub fn maps(process: &Process, out: &mut Vec<u8>) {
    with_space(process, &mut |space| space.for_each_region(&mut |region| line(region, out)));
}

fn line(region: &Region, out: &mut Vec<u8>) {
    let start = out.len();
    fill(out, "$-$ ", &[region.start as u64, region.end as u64]);
    let protection = region.protection;
    for (held, letter) in [(protection.read, b'r'), (protection.write, b'w'), (protection.execute, b'x')] {
        out.push(if held { letter } else { b'-' });
    }
    out.push(if region.is_shared() { b's' } else { b'p' });
    let (device, inode) = region.file.as_ref().map_or((0, 0), |file| file.numbers());
    fill(out, " $ %:% # ", &[region.offset, device >> 8, device & 0xff, inode]);
    let name = match region.kind {
        RegionKind::Stack => "[stack]",
        RegionKind::Heap => "[heap]",
        RegionKind::Platform => "[vdso]",
        RegionKind::Shared => "/dev/zero (deleted)",
        _ => region.file.as_ref().map_or("", |file| file.path()),
    };
    if !name.is_empty() {
        pad(out, start + PATH_COLUMN);
        out.extend_from_slice(name.as_bytes());
    }
    out.push(b'\n');
}

/// As [`maps`], each line with figures behind it: all of a region counts as resident.
pub fn regions(process: &Process, out: &mut Vec<u8>) {
    with_space(process, &mut |space| space.for_each_region(&mut |region| figures(region, out)));
}

fn figures(region: &Region, out: &mut Vec<u8>) {
    line(region, out);
    let size = (region.length() >> 10) as u64;
    let (shared, private) = if region.is_shared() { (size, 0) } else { (0, size) };
    let locked = if region.locked { size } else { 0 };
    fill(
        out,
        "Size: @ kB\nKernelPageSize: 4 kB\nMMUPageSize: 4 kB\nRss: @ kB\nPss: @ kB\nShared_Clean: 0 kB\n\
             Shared_Dirty: @ kB\nPrivate_Clean: 0 kB\nPrivate_Dirty: @ kB\nReferenced: @ kB\nAnonymous: 0 kB\n\
             AnonHugePages: 0 kB\nSwap: 0 kB\nLocked: @ kB\n",
        &[size, size, size, shared, private, size, locked],
    );
}
