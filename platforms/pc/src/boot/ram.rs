//! Giving RAM to the frame allocator: all but the image, the boot archive and the command line.

use core::ops::Range;

use frames::{Zone, bitmap_words};
use machine::{PAGE_SIZE, page_align_down, page_align_up};

use super::{found::Found, image};
use crate::memory::{MEMORY, Memory};

/// What must not be given out.
type Kept = [Range<usize>; 3];

/// Hands the machine's memory over. The stretch right behind the image comes first: the boot tables reach its start,
/// where the next page tables will come from. Low memory comes last: the least of it is left when somebody looks for
/// a real-mode page.
pub fn adopt(found: &Found) {
    let pages =
        |(start, length): (usize, usize)| page_align_down(start)..page_align_up(start + length).unwrap_or(usize::MAX);
    let kept = [image(), pages(found.archive), pages(found.command_line)];
    let mut memory = MEMORY.lock();
    memory.archive = found.archive;
    let low = |range: &Range<usize>| range.start < image().start;
    for range in found.ram.iter().filter(|range| !low(range)).chain(found.ram.iter().filter(low)) {
        split(&mut memory, range, &kept);
    }
}

/// Adds the parts of `range` that lie between what is kept.
fn split(memory: &mut Memory, range: Range<usize>, kept: &Kept) {
    let mut start = range.start;
    while start < range.end {
        if let Some(inside) = kept.iter().find(|kept| kept.contains(&start)) {
            start = inside.end;
            continue;
        }
        let end = kept.iter().map(|kept| kept.start).filter(|&next| next > start).min().unwrap_or(range.end);
        add(memory, start..end.min(range.end));
        start = end;
    }
}

/// Adds one zone, with its bitmap in its own first pages.
fn add(memory: &mut Memory, range: Range<usize>) {
    let frames = range.start / PAGE_SIZE..range.end / PAGE_SIZE;
    let words = bitmap_words(&frames);
    let bitmap_frames = (words * size_of::<u64>()).div_ceil(PAGE_SIZE);
    if bitmap_frames >= frames.len() {
        return;
    }
    // The bitmap must be reachable for good: by the direct map, which does not exist yet. Nothing touches it before
    // the first allocation.
    let bitmap = crate::memory::direct(range.start).cast::<u64>();
    // SAFETY: RAM that nobody has been given yet, and the zone does not include it.
    let bitmap = unsafe { core::slice::from_raw_parts_mut(bitmap, words) };
    // A machine in more pieces than there is room for loses the last ones.
    let _ = memory.zones.add(Zone::new(frames.start + bitmap_frames..frames.end, bitmap));
}
