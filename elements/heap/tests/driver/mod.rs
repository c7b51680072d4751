//! Drives a heap through a list of operations and checks every answer: the property test, the fuzz target and Miri all
//! use it, on every heap.

use std::alloc::Layout;
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::Mutex;

use heap::{Block, Heap, PageSource};

const PAGE: usize = 4096;
/// Bytes at each end of a block that are written and read again.
const EDGE: usize = 40;

/// Pages of the host, `LIMIT` at most, each piece an allocation of its own: what touches a piece that was given back,
/// or the gap between two, is found by Miri and by sanitizers.
pub struct Pieces<const LIMIT: usize>(Mutex<BTreeMap<usize, (NonNull<u8>, usize)>>);

// SAFETY: the pointers are only kept to free them.
unsafe impl<const LIMIT: usize> Send for Pieces<LIMIT> {}
// SAFETY: as above, and the map is behind a lock.
unsafe impl<const LIMIT: usize> Sync for Pieces<LIMIT> {}

fn layout_of(pages: usize) -> Layout {
    Layout::from_size_align(pages * PAGE, PAGE).expect("a heap asks for a sensible number of pages")
}

// SAFETY: the host's allocator gives fresh memory of that alignment, ours until it is given back.
unsafe impl<const LIMIT: usize> PageSource for Pieces<LIMIT> {
    const NEW: Self = Self(Mutex::new(BTreeMap::new()));

    fn pages(&self, count: usize) -> Option<NonNull<[u8]>> {
        let mut pieces = self.0.lock().unwrap();
        let held: usize = pieces.values().map(|(_, count)| count).sum();
        if count == 0 || held.checked_add(count)? > LIMIT {
            return None;
        }
        // SAFETY: the layout's size is not 0.
        let memory = NonNull::new(unsafe { std::alloc::alloc(layout_of(count)) })?;
        pieces.insert(memory.addr().get(), (memory, count));
        Some(NonNull::slice_from_raw_parts(memory, count * PAGE))
    }

    unsafe fn give_back(&self, memory: NonNull<[u8]>) -> bool {
        let piece = self.0.lock().unwrap().remove(&memory.cast::<u8>().addr().get());
        let (start, count) = piece.expect("only what was given out comes back");
        assert_eq!(memory.len(), count * PAGE, "a piece comes back whole");
        // SAFETY: it was allocated with this layout, and the caller promises that nobody uses it.
        unsafe { std::alloc::dealloc(start.as_ptr(), layout_of(count)) };
        true
    }
}

impl<const LIMIT: usize> Drop for Pieces<LIMIT> {
    fn drop(&mut self) {
        for (memory, count) in self.0.get_mut().unwrap().values() {
            // SAFETY: it was allocated with this layout, and the heap over it is dropped too.
            unsafe { std::alloc::dealloc(memory.as_ptr(), layout_of(*count)) };
        }
    }
}

/// One thing to do.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// A block of that size, aligned to two to that power.
    Allocate { size: usize, power: u8 },
    /// Frees one of the live blocks.
    Free { which: usize },
}

impl Operation {
    /// Three bytes are an operation; sizes of every magnitude are equally likely.
    pub fn from_bytes([kind, fine, coarse]: [u8; 3]) -> Self {
        if kind & 1 == 0 {
            return Self::Free { which: usize::from(fine) | usize::from(coarse) << 8 };
        }
        // 0 to 18 bits, and small alignments more often than large ones.
        let size = (usize::from(fine) | 0x100) << (coarse % 11) >> 8;
        let power = if kind & 0x1e == 0 { kind >> 5 << 1 } else { kind >> 6 };
        Self::Allocate { size, power: power.min(13) }
    }
}

struct Live {
    block: NonNull<u8>,
    layout: Layout,
    mark: u8,
}

impl Live {
    /// The offsets of the bytes that carry the mark.
    fn marked(&self) -> impl Iterator<Item = usize> {
        let size = self.layout.size();
        (0..size.min(EDGE)).chain(size.saturating_sub(EDGE)..size)
    }

    fn write(&self) {
        // SAFETY: the offsets lie in the block, which is ours.
        self.marked().for_each(|offset| unsafe { self.block.add(offset).write(self.mark) });
    }

    fn check(&self) {
        // SAFETY: as above, and `write` has initialised them.
        let intact = self.marked().all(|offset| unsafe { self.block.add(offset).read() } == self.mark);
        assert!(intact, "a block of {:?} changed while it was in use", self.layout);
    }
}

/// The blocks in use, as they should be.
#[derive(Default)]
struct Model {
    live: Vec<Live>,
    /// Ends by starts, of blocks that are not empty.
    ranges: BTreeMap<usize, usize>,
    mark: u8,
}

impl Model {
    fn allocate(&mut self, heap: &impl Heap, layout: Layout) {
        let Some(block) = heap.allocate(layout) else { return };
        let (start, end) = (block.addr().get(), block.addr().get() + layout.size());
        assert_eq!(start % layout.align(), 0, "{layout:?} at {start:#x}");
        if end > start {
            let before = self.ranges.range(..end).next_back();
            assert!(before.is_none_or(|(_, &before)| before <= start), "{layout:?} lies in another block");
            self.ranges.insert(start, end);
        }
        self.mark = self.mark.wrapping_add(1);
        let live = Live { block, layout, mark: self.mark };
        live.write();
        self.live.push(live);
    }

    fn free(&mut self, heap: &impl Heap, which: usize) {
        let live = self.live.swap_remove(which % self.live.len());
        live.check();
        if live.layout.size() > 0 {
            self.ranges.remove(&live.block.addr().get());
        }
        // SAFETY: it came from this heap with this layout, and is forgotten here.
        heap.free(unsafe { Block::new(live.block, live.layout) });
    }

    fn compare(&self, heap: &impl Heap) {
        let statistics = heap.statistics();
        let bytes: usize = self.live.iter().map(|live| live.layout.size()).sum();
        assert_eq!(statistics.blocks, self.live.len());
        assert!(statistics.bytes >= bytes && statistics.peak >= statistics.bytes && statistics.held >= bytes);
    }
}

/// Does all operations, then frees what is left, and compares the heap's statistics on the way.
pub fn drive(heap: &impl Heap, operations: impl IntoIterator<Item = Operation>) {
    let mut model = Model::default();
    for (number, operation) in operations.into_iter().enumerate() {
        match operation {
            Operation::Allocate { size, power } => {
                let layout = Layout::from_size_align(size, 1 << power).expect("sizes are far from the largest");
                model.allocate(heap, layout);
            }
            Operation::Free { which } if !model.live.is_empty() => model.free(heap, which),
            Operation::Free { .. } => {}
        }
        // Statistics go through every size class, which takes most of the time in Miri.
        if !cfg!(miri) || number % 8 == 0 {
            model.compare(heap);
        }
    }
    while !model.live.is_empty() {
        model.free(heap, 0);
    }
    let statistics = heap.statistics();
    assert_eq!((statistics.blocks, statistics.bytes), (0, 0));
}
