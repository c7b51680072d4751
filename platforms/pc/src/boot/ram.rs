//! Giving RAM to the frame allocator: all but the image, the boot archive and the command line.

use core::ops::Range;

use machine::{PAGE_SIZE, page_align_down, page_align_up};

use super::{found::Found, image};
use crate::memory::set_archive;

/// What must not be given out.
type Kept = [Range<usize>; 3];

/// Hands the machine's memory over. The stretch right behind the image comes first: the boot tables reach its start,
/// where the next page tables will come from. Low memory comes last: the least of it is left when somebody looks for
/// a real-mode page.
pub fn adopt(found: &Found) {
    let pages =
        |(start, length): (usize, usize)| page_align_down(start)..page_align_up(start + length).unwrap_or(usize::MAX);
    let kept = [image(), pages(found.archive), pages(found.command_line)];
    set_archive(found.archive);
    let low = |range: &Range<usize>| range.start < image().start;
    for range in found.ram.iter().filter(|range| !low(range)).chain(found.ram.iter().filter(low)) {
        split(range, &kept);
    }
}

/// Adds the parts of `range` that lie between what is kept.
fn split(range: Range<usize>, kept: &Kept) {
    let mut start = range.start;
    while start < range.end {
        if let Some(inside) = kept.iter().find(|kept| kept.contains(&start)) {
            start = inside.end;
            continue;
        }
        let end = kept.iter().map(|kept| kept.start).filter(|&next| next > start).min().unwrap_or(range.end);
        add(start..end.min(range.end));
        start = end;
    }
}

/// Adds one zone, with its book in its own first pages.
fn add(range: Range<usize>) {
    let frames = range.start / PAGE_SIZE..range.end / PAGE_SIZE;
    let words = contracts::frames::book_words(frames.clone());
    let book_frames = (words * size_of::<u64>()).div_ceil(PAGE_SIZE);
    if book_frames >= frames.len() {
        return;
    }
    // The book must be reachable for good: by the direct map, which does not exist yet. Nothing touches it before
    // the first allocation.
    let book = crate::memory::direct(range.start).cast::<u64>();
    // SAFETY: RAM that nobody has been given yet, and the zone does not include it.
    let book = unsafe { core::slice::from_raw_parts_mut(book, words) };
    // A machine in more pieces than there is room for loses the last ones.
    let _ = contracts::frames::add(frames.start + book_frames..frames.end, book);
}
